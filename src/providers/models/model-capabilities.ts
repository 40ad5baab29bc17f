/** Model families that accept images, by name. */
const VISION_MODELS = [
  /\bgpt-(4o(?!-(audio|realtime|transcribe|mini-(audio|realtime|transcribe|tts)))|4\.\d|4-turbo|5)/,
  /\bo(1(?!-(mini|preview))|3(?!-mini)|4)/,
  /\bclaude-(3|opus|sonnet|haiku|[4-9])/,
  /\bgemini/,
  /\bgemma-?3(?!.*(\b1b|270m))/,
  /\bllama-?4/,
  /\b(llava|bakllava|moondream|minicpm-v|pixtral|internvl|molmo|phi-?(3(\.5)?|4)-(vision|multimodal))/,
  /\bqwen[\d.]*-?(vl|omni)/,
  /\bmistral-(small-?3\.[1-9]|medium-?3)/,
  /[-_.:]vision\b|[-_]vl\b/,
];

/** Model families whose services accept PDF documents. */
const DOCUMENT_MODELS = [
  /\bgpt-(4o(?!-(audio|realtime|transcribe|mini-(audio|realtime|transcribe|tts)))|4\.\d|5)/,
  /\bo(1(?!-(mini|preview))|3(?!-mini)|4)/,
  /\bclaude-(3-[57]|(opus|sonnet|haiku)-[4-9]|[4-9])/,
  /\bgemini/,
];

/** Whether the model is known to accept PDF documents. Unknown models do not receive any. */
export function isDocumentModel(modelId: string): boolean {
  const name = modelId.toLowerCase();
  return DOCUMENT_MODELS.some((family) => family.test(name));
}

/** Whether the model is known to accept images. Unknown models do not receive any. */
export function isVisionModel(modelId: string): boolean {
  const name = modelId.toLowerCase();
  return VISION_MODELS.some((family) => family.test(name));
}
