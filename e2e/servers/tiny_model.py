"""Writes a model with random weights and the tokens of another one, which answers at once and nonsense.

    tiny_model.py TOKENS.gguf OUT.gguf

What a template of a conversation refuses does not depend on the weights.
"""

import sys

import gguf
import numpy as np

WIDTH, HEADS, LAYERS, WINDOW = 64, 2, 1, 131072
RANDOM = np.random.default_rng(1)


def random(*shape):
    return RANDOM.normal(0, 0.05, shape).astype(np.float16)


def copy_tokens(reader, writer):
    """Copies the tokenizer, and returns the number of tokens. The template of the other model stays behind."""
    for name, field in reader.fields.items():
        if name.startswith("tokenizer.") and name != "tokenizer.chat_template":
            value, kind = field.contents(), field.types[0]
            writer.add_key_value(name, value, kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    return len(reader.fields["tokenizer.ggml.tokens"].data)


def add_layer(writer, prefix):
    ones = np.ones(WIDTH, dtype=np.float32)
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"{prefix}.{name}.weight", ones)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"{prefix}.{name}.weight", random(WIDTH, WIDTH))


def main(tokens, out):
    writer = gguf.GGUFWriter(out, "llama")
    count = copy_tokens(gguf.GGUFReader(tokens), writer)
    writer.add_name("tiny")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tensor("token_embd.weight", random(count, WIDTH))
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, dtype=np.float32))
    for i in range(LAYERS):
        add_layer(writer, f"blk.{i}")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(*sys.argv[1:])
