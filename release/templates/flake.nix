{
  description = "{{.Summary}}";
  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        x86_64-linux = { url = "{{(index .Files "linux-amd64").URL}}"; sha256 = "{{(index .Files "linux-amd64").SHA256}}"; };
        aarch64-linux = { url = "{{(index .Files "linux-arm64").URL}}"; sha256 = "{{(index .Files "linux-arm64").SHA256}}"; };
        x86_64-darwin = { url = "{{(index .Files "darwin-amd64").URL}}"; sha256 = "{{(index .Files "darwin-amd64").SHA256}}"; };
        aarch64-darwin = { url = "{{(index .Files "darwin-arm64").URL}}"; sha256 = "{{(index .Files "darwin-arm64").SHA256}}"; };
      };
      package = system: archive:
        let pkgs = nixpkgs.legacyPackages.${system}; in
        pkgs.stdenv.mkDerivation {
          pname = "ploke-lsp";
          version = "{{.Version}}";
          src = pkgs.fetchurl archive;
          nativeBuildInputs = [ pkgs.installShellFiles ] ++ pkgs.lib.optional pkgs.stdenv.isLinux pkgs.autoPatchelfHook;
          installPhase = ''
            install -Dm755 ploke-lsp $out/bin/ploke-lsp
            installManPage ploke-lsp.1
            installShellCompletion --bash --name ploke-lsp completions/ploke-lsp
            installShellCompletion --zsh --name _ploke-lsp completions/_ploke-lsp
            installShellCompletion --fish completions/ploke-lsp.fish
          '';
          meta = {
            description = "{{.Summary}}";
            homepage = "{{.Repository}}";
            license = pkgs.lib.licenses.mit;
            mainProgram = "ploke-lsp";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: archive: { default = package system archive; }) archives;
    };
}
