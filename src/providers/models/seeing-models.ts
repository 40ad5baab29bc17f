/** Families of models that take pictures, by what their names have in common. */
const SEEING = [
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

/** Families whose services take PDF documents: they read their text and see their pages. */
const READING = [
  /\bgpt-(4o(?!-(audio|realtime|transcribe|mini-(audio|realtime|transcribe|tts)))|4\.\d|5)/,
  /\bo(1(?!-(mini|preview))|3(?!-mini)|4)/,
  /\bclaude-(3-[57]|(opus|sonnet|haiku)-[4-9]|[4-9])/,
  /\bgemini/,
];

/** Whether a model of this name is known to take PDF documents. What is not known is not sent any. */
export function readsDocuments(modelId: string): boolean {
  const name = modelId.toLowerCase();
  return READING.some((family) => family.test(name));
}

/** Whether a model of this name is known to take pictures. What is not known is not sent any. */
export function seesImages(modelId: string): boolean {
  const name = modelId.toLowerCase();
  return SEEING.some((family) => family.test(name));
}
