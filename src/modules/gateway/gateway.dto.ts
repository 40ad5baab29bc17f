/** How to open a socket. */
export class WebsocketView {
  protocol!: 'socket.io';
  /** Of the Engine.IO protocol, as in its query parameter EIO. */
  version!: 4;
  /** Where it is opened, over WebSocket or long polling. */
  path!: string;
  transports!: ('websocket' | 'polling')[];
  /** Fields of the handshake's `auth`. */
  auth!: string[];
  /** Where its events are described. */
  documentation!: string;
}
