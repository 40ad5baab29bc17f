/** An audio container format. */
export interface Container {
  readonly mediaType: string;
  /** The built-in decoder; undefined when only ffmpeg supports the format. */
  readonly decoder?: 'pcm' | 'mp3' | 'flac' | 'opus' | 'vorbis' | 'webm';
  /** Name of the format in ffmpeg. */
  readonly ffmpeg: string;
}

const CONTAINERS = {
  wav: { mediaType: 'audio/wav', decoder: 'pcm', ffmpeg: 'wav' },
  mp3: { mediaType: 'audio/mpeg', decoder: 'mp3', ffmpeg: 'mp3' },
  flac: { mediaType: 'audio/flac', decoder: 'flac', ffmpeg: 'flac' },
  opus: { mediaType: 'audio/ogg', decoder: 'opus', ffmpeg: 'ogg' },
  vorbis: { mediaType: 'audio/ogg', decoder: 'vorbis', ffmpeg: 'ogg' },
  oggFlac: { mediaType: 'audio/ogg', decoder: 'flac', ffmpeg: 'ogg' },
  ogg: { mediaType: 'audio/ogg', ffmpeg: 'ogg' },
  webm: { mediaType: 'audio/webm', decoder: 'webm', ffmpeg: 'matroska' },
  matroska: { mediaType: 'audio/x-matroska', ffmpeg: 'matroska' },
  mp4: { mediaType: 'audio/mp4', ffmpeg: 'mov' },
  aac: { mediaType: 'audio/aac', ffmpeg: 'aac' },
  aiff: { mediaType: 'audio/aiff', decoder: 'pcm', ffmpeg: 'aiff' },
  caf: { mediaType: 'audio/x-caf', decoder: 'pcm', ffmpeg: 'caf' },
  au: { mediaType: 'audio/basic', decoder: 'pcm', ffmpeg: 'au' },
  amr: { mediaType: 'audio/amr', ffmpeg: 'amr' },
  w64: { mediaType: 'audio/x-w64', ffmpeg: 'w64' },
  wavpack: { mediaType: 'audio/x-wavpack', ffmpeg: 'wv' },
  asf: { mediaType: 'audio/x-ms-wma', ffmpeg: 'asf' },
} as const satisfies Record<string, Container>;

const EBML = '\x1a\x45\xdf\xa3';
const W64 = 'riff\x2e\x91\xcf\x11';
const ASF = '\x30\x26\xb2\x75\x8e\x66\xcf\x11';

/** Detects the container from the first bytes; undefined for unknown formats. */
export function detectContainer(file: Uint8Array): Container | undefined {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 4096));
  const at = (offset: number, text: string): boolean => head.toString('latin1', offset, offset + text.length) === text;
  if (['RIFF', 'RIFX', 'RF64', 'BW64'].some((magic) => at(0, magic)) && at(8, 'WAVE')) return CONTAINERS.wav;
  if (at(0, 'fLaC')) return CONTAINERS.flac;
  if (at(0, 'OggS')) return CONTAINERS[oggCodec(head)];
  if (at(0, EBML)) return head.includes('webm') ? CONTAINERS.webm : CONTAINERS.matroska;
  if (at(4, 'ftyp') || at(4, 'moov') || at(4, 'styp')) return CONTAINERS.mp4;
  if (at(0, 'FORM') && (at(8, 'AIFF') || at(8, 'AIFC'))) return CONTAINERS.aiff;
  if (at(0, 'caff')) return CONTAINERS.caf;
  if (at(0, '.snd')) return CONTAINERS.au;
  if (at(0, '#!AMR')) return CONTAINERS.amr;
  if (at(0, W64)) return CONTAINERS.w64;
  if (at(0, 'wvpk')) return CONTAINERS.wavpack;
  if (at(0, ASF)) return CONTAINERS.asf;
  if (at(0, 'ID3')) return CONTAINERS[afterTag(file)];
  return frameAt(head) === undefined ? undefined : CONTAINERS[frameAt(head) ?? 'mp3'];
}

/** Detects the codec of an Ogg file at the start of its first packet. */
function oggCodec(head: Buffer): 'opus' | 'vorbis' | 'oggFlac' | 'ogg' {
  const packet = head.toString('latin1', 27 + (head[26] ?? 0), 27 + (head[26] ?? 0) + 8);
  if (packet.startsWith('OpusHead')) return 'opus';
  if (packet.startsWith('\x01vorbis')) return 'vorbis';
  return packet.startsWith('\x7fFLAC') ? 'oggFlac' : 'ogg';
}

/** The format after an ID3 tag: MP3, unless AAC or FLAC is detected. */
function afterTag(file: Uint8Array): 'mp3' | 'aac' | 'flac' {
  const [a = 0, b = 0, c = 0, d = 0] = file.subarray(6, 10);
  const rest = file.subarray(10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127)));
  if (Buffer.from(rest.subarray(0, 4)).toString('latin1') === 'fLaC') return 'flac';
  return frameAt(rest) ?? 'mp3';
}

/** Detects an MPEG audio or AAC frame header. */
function frameAt([first = 0, second = 0, third = 0]: Uint8Array): 'mp3' | 'aac' | undefined {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const reserved = (second & 0x18) === 0x08 || (second & 0x06) === 0 || third >> 4 === 0x0f || (third & 0x0c) === 0x0c;
  return reserved ? undefined : 'mp3';
}
