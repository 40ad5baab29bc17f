// Speaks to an agent: the microphone's recording goes over the socket, the answer's sentences come back as sound.
import { signal } from '@preact/signals';
import { live } from '../api.js';
import { myId, myName } from '../identity.js';
import { notifyFault } from '../ui/dialogs.js';
import { player } from './player.js';

const CHUNK_MS = 250;

export type VoiceState = 'off' | 'listening' | 'recognising';
export const voice = signal<VoiceState>('off');
/** Whether answers to spoken messages are being heard. */
export const speaking = signal(false);

let recorder: MediaRecorder | undefined;
let listening = false;

/** Begins to record. What is being spoken is interrupted. @throws when the browser refuses the microphone */
export async function listen(channelId: string, agentId: string | undefined): Promise<void> {
  interrupt();
  hearAnswers();
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const name = myName.peek();
  const start = {
    channelId,
    senderId: myId,
    encoding: 'file',
    ...(agentId !== undefined && { agentId }),
    ...(name !== '' && { senderName: name }),
  };
  try {
    await live().request('audioStart', start);
  } catch (error) {
    release(stream);
    throw error;
  }
  recorder = new MediaRecorder(stream);
  // Parts are sent in the order of the recording: the bytes of one are read before those of the next are asked for.
  let sending: Promise<unknown> = Promise.resolve();
  recorder.addEventListener('dataavailable', ({ data }) => {
    sending = sending.then(async () => {
      if (data.size > 0) live().socket.emit('audioChunk', await data.arrayBuffer());
    });
  });
  recorder.addEventListener('stop', () => {
    release(stream);
    recorder = undefined;
    if (voice.peek() === 'recognising') void sending.then(finish);
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

/** Stops the voice of the agent; the text of the answer is written to its end. */
export function interrupt(): void {
  player.stop();
  if (speaking.peek()) live().socket.emit('audioCancel', {});
  speaking.value = false;
}

async function finish(): Promise<void> {
  try {
    await live().request('audioEnd', {});
  } catch (error) {
    notifyFault(error);
  }
  voice.value = 'off';
}

function hearAnswers(): void {
  if (listening) return;
  listening = true;
  const { socket } = live();
  socket.on('speechChunk', ({ audio }: { audio: ArrayBuffer }) => {
    speaking.value = true;
    player.play(audio).catch(notifyFault);
  });
  socket.on('speechEnd', ({ status }: { status: string }) => {
    if (status === 'interrupted') player.stop();
    speaking.value = false;
  });
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
