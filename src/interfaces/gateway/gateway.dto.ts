/** How to open a socket. */
export class WebsocketView {
  protocol!: 'socket.io';
  /** Version of the Engine.IO protocol, as in its query parameter EIO. */
  version!: 4;
  /** Path at which the socket is opened, over WebSocket or long polling. */
  path!: string;
  transports!: ('websocket' | 'polling')[];
  /** Fields of the handshake's `auth`. */
  auth!: string[];
  /** Document that describes the events. */
  documentation!: string;
}
