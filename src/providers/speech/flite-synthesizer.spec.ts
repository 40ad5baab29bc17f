import { SystemClock } from '../../core/clock/index.js';
import { allPieces, describeSynthesizer } from '../../../test/support/describe-synthesizer.js';
import { FliteSynthesizer } from './flite-synthesizer.js';

const make = (script?: URL): FliteSynthesizer => new FliteSynthesizer({ clock: new SystemClock(), threads: 1, queue: 2, script });

describeSynthesizer('Flite', make);

describe('FliteSynthesizer', () => {
  it('fails as busy when its queue is full', async () => {
    const subject = make();
    const calls = Array.from({ length: 4 }, () => allPieces(subject, { text: 'Hello there.' }));
    const results = await Promise.allSettled(calls);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.objectContaining({ code: 'AUDIO_BUSY', retryAfterSeconds: 5 })]);
    await subject.close();
  });

  it('skips text in unknown scripts and speaks the rest', async () => {
    const subject = make();
    for (const text of ['你好。', 'Привет, мир!', 'مرحبا']) expect(await allPieces(subject, { text })).toEqual([]);
    for (const text of ['Grüße aus Köln.', '你好 means hello.', '12']) expect(await allPieces(subject, { text })).toHaveLength(1);
    await subject.close();
  });

  it('fails only the running call of a dying thread', async () => {
    const subject = make(new URL('data:text/javascript,process.exit(1)'));
    await expect(allPieces(subject, { text: 'Hello there.' })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await subject.close();
  });
});
