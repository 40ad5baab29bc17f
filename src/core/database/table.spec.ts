import { Column, Entity, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from './columns.js';
import { tableOf } from './table.js';

@Entity('documents')
class DocumentRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'channel_id', nullable: true })
  channelId!: string | null;

  @ManyToOne(() => DocumentRow)
  parent?: unknown;

  // Reserved on both engines.
  @NameColumn()
  order!: string;

  @JsonColumn({ nullable: true })
  metadata!: Record<string, unknown> | null;

  @Column({ name: 'is_open', type: 'boolean' })
  isOpen!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'closed_at', nullable: true })
  closedAt!: number | null;
}

const DOCUMENTS = tableOf(DocumentRow);
const DOCUMENT = { id: 's', channelId: null, order: 'a', metadata: { a: 1 }, isOpen: true, createdAt: 5, closedAt: null };

describe('tableOf', () => {
  it('selects each column as its property', () => {
    expect(DOCUMENTS.pick('id', 'channelId', 'order').columns).toBe('"id", "channel_id" AS "channelId", "order"');
    expect(DOCUMENTS.pick('order', 'channelId').columnsOf('s')).toBe('s."channel_id" AS "channelId", s."order"');
    expect(DOCUMENTS.columns).not.toContain('parent');
  });

  it.each([
    ['SQLite', { metadata: '{"a":1}', isOpen: 1, createdAt: 5, closedAt: 7 }],
    ['PostgreSQL', { metadata: '{"a":1}', isOpen: true, createdAt: '5', closedAt: '7' }],
  ])('reads the values that %s returns', (_engine, values) => {
    const row = { id: 's', channelId: null, order: 'a', ...values };
    expect(DOCUMENTS.read(row)).toEqual({ ...DOCUMENT, closedAt: 7 });
  });

  it.each([0, false])('reads %p as false', (isOpen) => {
    expect(DOCUMENTS.pick('isOpen').read({ isOpen })).toEqual({ isOpen: false });
  });

  it('keeps null and other columns of the query', () => {
    const row = { metadata: null, closedAt: null, serverId: 'x' };
    expect(DOCUMENTS.pick('metadata', 'closedAt').read(row)).toEqual({ metadata: null, closedAt: null, serverId: 'x' });
  });

  it('inserts all columns', () => {
    expect(DOCUMENTS.insert(DOCUMENT, 'ON CONFLICT (id) DO NOTHING')).toEqual({
      sql:
        'INSERT INTO documents ("id", "channel_id", "order", "metadata", "is_open", "created_at", "closed_at") ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
      params: ['s', null, 'a', '{"a":1}', true, 5, null],
    });
  });

  it('inserts several objects', () => {
    const { insertAll } = DOCUMENTS.pick('id', 'isOpen');
    const second = { id: 't', isOpen: false };
    expect(insertAll([DOCUMENT, second], 'ON CONFLICT (id) DO NOTHING')).toEqual({
      sql: 'INSERT INTO documents ("id", "is_open") VALUES (?, ?), (?, ?) ON CONFLICT (id) DO NOTHING',
      params: ['s', true, 't', false],
    });
    expect(insertAll([second]).sql).toBe('INSERT INTO documents ("id", "is_open") VALUES (?, ?)');
  });

  it('stores null and undefined JSON as null', () => {
    const metadata = DOCUMENTS.pick('metadata');
    expect([metadata.params({ metadata: null }), metadata.params({ metadata: undefined as never })]).toEqual([[null], [null]]);
  });

  it('leaves out columns', () => {
    const { names, params } = DOCUMENTS.omit('channelId', 'metadata', 'createdAt', 'closedAt');
    expect([names, params(DOCUMENT)]).toEqual(['"id", "order", "is_open"', ['s', 'a', true]]);
  });

  it('refuses a class that is not an entity', () => {
    expect(() => tableOf(class Plain {})).toThrow('Plain is not an entity');
  });
});
