// The icons of the chat, drawn as outlines of 16 by 16 in the colour of the text. A font of icons would need a wider
// content security policy.
const outlines = {
  copyCode: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  insertCode: "M2.5 3.5h11M2.5 12.5h11M2.5 8h6M11 5.5 8.5 8l2.5 2.5M8.5 8h5",
  openPlace: "M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13.5 2.5 7.5 8.5",
  done: "M3 8.5 6.5 12 13 4.5",
  reject: "M4 4l8 8M12 4l-8 8",
  down: "M8 2.5v11M3.5 9 8 13.5 12.5 9",
  edit: "M2.5 13.5 3.5 10 11 2.5 13.5 5 6 12.5zM9.5 4l2.5 2.5",
  again: "M13 4.5v3.5H9.5M12.7 8A5 5 0 1 1 11.5 4.6L13 6.5",
  previous: "M10 3 5 8l5 5",
  next: "M6 3l5 5-5 5",
  newFile: "M3.5 2.5h6l3 3v8h-9zM8 7v4M6 9h4",
  applyCode: "M2.5 8.5 6 12l4-4.5M8 12l5.5-8",
  openDiagram: "M5.5 2.5h5v3h-5zM2.5 10.5h4v3h-4zM9.5 10.5h4v3h-4zM8 5.5V8M4.5 10.5V8h7v2.5",
  up: "M8 13.5v-11M3.5 7 8 2.5 12.5 7",
  stop: "M4.5 4.5h7v7h-7z",
  close: "M4 4l8 8M12 4l-8 8",
  file: "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3",
  folder: "M1.5 3.5h4.5l1.5 2h7v8h-13z",
  symbol: "M8 1.5 14 5v6L8 14.5 2 11V5zM2 5l6 3.5L14 5M8 8.5v6",
  command: "M10 2 6 14",
  context: "M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0v1.2a1.7 1.7 0 0 0 3.4 0V8A5.9 5.9 0 1 0 11.5 12.7",
  action: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
} as const;

export type IconName = keyof typeof outlines;

export function icon(name: IconName): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const image = document.createElementNS(space, "svg");
  image.setAttribute("viewBox", "0 0 16 16");
  image.setAttribute("class", "icon");
  image.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", outlines[name]);
  image.append(path);
  return image;
}
