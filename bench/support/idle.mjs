// Idle socket.io connections, as bare as they can be made: the handshake over a plain connection, and then nothing but pongs.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const AT_ONCE = 50;
const NAMESPACE = '40';
const PONG = '3';

export default function main() {
  const open = [];
  const lost = new Set();
  process.on('message', ({ url, connections, patienceMs = 30_000 }) => {
    let left = connections;
    const one = async () => {
      while (left-- > 0) open.push(await within(connectIdle(new URL(url), lost), patienceMs));
    };
    Promise.all(Array.from({ length: AT_ONCE }, one)).then(
      () => process.send({ open: open.length - lost.size }),
      (error) => process.send({ error: error.stack }),
    );
  });
}

function connectIdle({ hostname, port }, lost) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const key = randomBytes(16).toString('base64');
    socket.write(
      [
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
        `Host: ${hostname}:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${key}`,
        '\r\n',
      ].join('\r\n'),
    );
    let greeted = false;
    // Frames of the server are not masked, and each of its packets is short enough to come in one piece.
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (!greeted && text.includes('0{"sid"')) {
        greeted = true;
        socket.write(frame(NAMESPACE));
      } else if (text.includes('connection_established')) resolve(socket);
      else if (/^\x81\x012$/.test(text)) socket.write(frame(PONG));
    });
    socket.once('close', () => lost.add(socket)).once('error', reject);
  });
}

/** A short text frame with the mask that clients have to use; one of zeros changes nothing. */
function frame(text) {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

async function within(promise, ms) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`a connection was not made within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
