// Speaks to an agent: the microphone's recording goes over the socket, the reply's sentences come back as sound.
import { computed, signal } from '@preact/signals';
import type { Live, Utterance } from 'parley-client/socket';
import { live } from '../api.js';
import { entitle } from '../chat/conversations.js';
import { myId, myName } from '../identity.js';
import { notifyError } from '../ui/dialogs.js';
import { player } from './player.js';

const CHUNK_MS = 250;

export type VoiceState = 'off' | 'listening' | 'recognising';
export const voice = signal<VoiceState>('off');
/** Whether the server sends the voice of a reply. It is sent faster than it is played. */
const arriving = signal(false);
/** Whether a reply is heard, or about to be. */
export const speaking = computed(() => arriving.value || player.playing.value);

/** The reply that is heard, and the one that was interrupted last, of which pieces may still be under way. */
let current: string | undefined;
let interrupted: string | undefined;
let recorder: MediaRecorder | undefined;
/** Settles when the server has the end of the last recording: a connection has one recording at a time, and the end does not name it. */
let ended: Promise<unknown> = Promise.resolve();
/** The connection whose spoken replies are played. */
let heard: Live | undefined;

/** Starts recording and interrupts speech output. @throws when the browser refuses the microphone */
export async function listen(channelId: string, agentId: string | undefined): Promise<void> {
  interrupt();
  playReplies();
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const name = myName.peek();
  let utterance: Utterance;
  try {
    await ended;
    utterance = await live().speak({
      channelId,
      senderId: myId,
      ...(agentId !== undefined && { agentId }),
      ...(name !== '' && { senderName: name }),
    });
  } catch (error) {
    release(stream);
    throw error;
  }
  recorder = new MediaRecorder(stream);
  // Parts are sent in the order of the recording: the bytes of one are read before those of the next are asked for.
  let sending: Promise<unknown> = Promise.resolve();
  recorder.addEventListener('dataavailable', ({ data }) => {
    sending = sending.then(async () => {
      if (data.size > 0) await utterance.write(await data.arrayBuffer());
    });
    sending.catch((error: unknown) => {
      if (voice.peek() !== 'listening') return;
      notifyError(error);
      voice.value = 'off';
      recorder?.stop();
    });
  });
  ended = stopped(recorder).then(async () => {
    release(stream);
    recorder = undefined;
    if (voice.peek() === 'recognising') return finish(sending, utterance, channelId);
    await sending.then(
      () => utterance.cancel().catch(notifyError),
      () => undefined,
    );
  });
  recorder.start(CHUNK_MS);
  voice.value = 'listening';
}

/** Ends the recording; its words are posted as a message. */
export function send(): void {
  voice.value = 'recognising';
  recorder?.stop();
}

/** Drops the recording. */
export function cancel(): void {
  voice.value = 'off';
  recorder?.stop();
  interrupt();
}

/** Stops the voice of the agent; the text of the reply is written to its end. */
export function interrupt(): void {
  player.stop();
  interrupted = current;
  if (arriving.peek()) live().socket.emit('audioCancel', {});
  arriving.value = false;
}

async function finish(sending: Promise<unknown>, utterance: Utterance, channelId: string): Promise<void> {
  try {
    await sending;
    const { text } = await utterance.end();
    await entitle(channelId, text);
  } catch (error) {
    notifyError(error);
  }
  voice.value = 'off';
}

function stopped(recording: MediaRecorder): Promise<unknown> {
  return new Promise((resolve) => {
    recording.addEventListener('stop', resolve, { once: true });
  });
}

function playReplies(): void {
  const connection = live();
  if (heard === connection) return;
  heard = connection;
  connection.onSpeech((event) => {
    if (event.replyId === interrupted) return;
    current = event.replyId;
    if (event.type === 'speech.chunk') {
      arriving.value = true;
      player.play(new Uint8Array(event.audio).buffer).catch(notifyError);
    } else if (event.type === 'speech.ended') {
      if (event.status === 'interrupted') player.stop();
      arriving.value = false;
    }
  });
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
