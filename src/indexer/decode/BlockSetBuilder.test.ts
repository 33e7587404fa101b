import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBuilt, START_LT } from '../../../test/support/builtTransaction.ts'
import { address, amount, filled } from '../../../test/support/sampleMessages.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { unpackDescription } from '../../codec/stored/packDescription.ts'
import { type IntMsgInfo, type Message, type MessageBody, stateInitHash } from '../../codec/tlb/Message.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { decodeMessageBits } from '../../store/schema/codes.ts'
import { MESSAGE_KIND } from '../blockSets.ts'
import { WatchedAccounts } from './findTransactions.ts'

const nothing = wholeSlice(emptyCell)

const internal = (fields: Partial<IntMsgInfo> = {}, body: MessageBody = nothing): Message => ({
  info: {
    kind: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    source: address(0, 1),
    destination: address(0, 2),
    value: amount(5n),
    extraFlags: 0n,
    fwdFee: 6n,
    createdLt: 1001n,
    createdAt: 1_700_000_001,
    ...fields,
  },
  init: undefined,
  body,
})

const hex = (value: unknown): string | null => (value === null ? null : toHex(value as Uint8Array))

test('amounts that no column holds are kept as text', () => {
  const message = internal({ value: amount(2n ** 100n), fwdFee: 2n ** 63n, extraFlags: 2n ** 90n })
  const { row, sent } = decodeBuilt({
    inMsg: message,
    outMsgs: [message],
    fields: { totalFees: amount(2n ** 63n) },
    balance: 2n ** 119n,
  })
  assert.deepEqual(
    [row['total_fees'], row['balance'], row['in_value'], row['in_fwd_fee'], row['in_ihr_fee'], row['in_extra_flags']],
    [null, null, null, null, null, null],
  )
  const texts = { value: String(2n ** 100n), fwd_fee: String(2n ** 63n), ihr_fee: String(2n ** 90n) }
  assert.deepEqual(Object.keys(row['large']!), ['total_fees', 'balance', 'in_value', 'in_fwd_fee', 'in_ihr_fee'])
  assert.deepEqual(row['large'], {
    total_fees: String(2n ** 63n),
    balance: String(2n ** 119n),
    in_value: texts.value,
    in_fwd_fee: texts.fwd_fee,
    in_ihr_fee: texts.ihr_fee,
  })
  assert.deepEqual([sent[0]!['value'], sent[0]!['fwd_fee'], sent[0]!['ihr_fee']], [null, null, null])
  assert.deepEqual(sent[0]!['large'], texts)
})

test('the largest amounts that fit', () => {
  const most = 2n ** 63n - 1n
  const message = internal({ value: amount(most), fwdFee: most, extraFlags: most })
  const { row } = decodeBuilt({ inMsg: message, fields: { totalFees: amount(most) }, balance: most })
  assert.deepEqual(
    [row['total_fees'], row['balance'], row['in_value'], row['in_fwd_fee'], row['in_ihr_fee'], row['large']],
    [most, most, most, most, most, null],
  )
})

test('what was a fee is flags from version 12 on', () => {
  const { row, sent } = decodeBuilt({
    inMsg: internal({ extraFlags: 2n ** 100n + 3n }),
    outMsgs: [internal({ extraFlags: 0n })],
    hasExtraFlags: true,
  })
  assert.deepEqual([row['in_ihr_fee'], row['in_extra_flags'], row['large']], [null, 2n ** 100n + 3n, null])
  assert.ok(decodeMessageBits(row['in_bits'] as number).hasExtraFlags)
  assert.deepEqual([sent[0]!['ihr_fee'], sent[0]!['extra_flags']], [null, null])
  assert.ok(decodeMessageBits(sent[0]!['bits'] as number).hasExtraFlags)
})

test('amounts of other currencies', () => {
  const value = amount(1n, [
    [7, 2n ** 200n],
    [4294967295, 1n],
  ])
  const texts = { '7': String(2n ** 200n), '4294967295': '1' }
  const { row, sent } = decodeBuilt({
    inMsg: internal({ value }),
    outMsgs: [internal({ value })],
    fields: { totalFees: value },
  })
  assert.deepEqual([row['in_value_extra'], row['total_fees_extra'], row['balance_extra']], [texts, texts, null])
  assert.deepEqual(sent[0]!['value_extra'], texts)
})

test('flags and addresses', () => {
  const anycast = { depth: 4, prefix: Uint8Array.of(0xa0) }
  const cases: readonly [Partial<IntMsgInfo>, kind: number, source: string][] = [
    [{ bounce: true, ihrDisabled: false }, MESSAGE_KIND.internal, `00${'01'.repeat(32)}`],
    [{ source: address(-1, 0), createdLt: START_LT }, MESSAGE_KIND.system, `ff${'00'.repeat(32)}`],
    [{ source: address(-1, 0) }, MESSAGE_KIND.internal, `ff${'00'.repeat(32)}`],
    [{ source: address(-1, 0), createdLt: START_LT - 1n }, MESSAGE_KIND.internal, `ff${'00'.repeat(32)}`],
    [{ source: address(0, 0), createdLt: START_LT }, MESSAGE_KIND.internal, `00${'00'.repeat(32)}`],
    [{ source: address(-1, 1), createdLt: START_LT }, MESSAGE_KIND.internal, `ff${'01'.repeat(32)}`],
    [{ source: { ...address(0, 1), anycast } }, MESSAGE_KIND.internal, `00a1${'01'.repeat(31)}`],
    [
      { source: { kind: 'var', workchain: 0, bits: 256, value: filled(9), anycast: undefined } },
      MESSAGE_KIND.internal,
      `00${'09'.repeat(32)}`,
    ],
    [
      { source: { kind: 'var', workchain: 1000, bits: 256, value: filled(9), anycast: undefined } },
      MESSAGE_KIND.internal,
      '02',
    ],
  ]
  for (const [fields, kind, source] of cases) {
    const { row, blockSet } = decodeBuilt({ inMsg: internal(fields) })
    const bits = decodeMessageBits(row['in_bits'] as number)
    assert.equal(hex(row['in_source']), source)
    assert.deepEqual(bits, {
      kind,
      bounce: fields.bounce ?? false,
      bounced: false,
      ihrDisabled: fields.ihrDisabled ?? true,
      hasExtraFlags: false,
    })
    assert.equal(blockSet.transactions.inKinds[0], kind)
  }
  const { sent } = decodeBuilt({ outMsgs: [internal({ destination: { ...address(0, 1), anycast } })] })
  assert.equal(hex(sent[0]!['destination']), `00a1${'01'.repeat(31)}`)
})

test('what the account -1:00…00 sends is internal, though messages of blocks name it, too', () => {
  const message = internal({ source: address(-1, 0), createdLt: 1001n })
  const { blockSet, sent } = decodeBuilt({ outMsgs: [message] })
  assert.deepEqual([...blockSet.messages.kinds], [MESSAGE_KIND.internal])
  assert.equal(decodeMessageBits(sent[0]!['bits'] as number).kind, MESSAGE_KIND.internal)
})

test('where some accounts are watched, the other end of a message may be elsewhere; its row does not tell', () => {
  const watched = new WatchedAccounts([address(0, 2), address(0, 4)].map(addressKeyOf))
  const sentTo = (destination: number, k: number) =>
    internal({ source: address(0, 2), destination: address(0, destination), createdLt: 1001n + BigInt(k) })
  const kindsOf = (inMsg: Message, watchedBy: WatchedAccounts | undefined) => {
    const built = decodeBuilt({ inMsg, outMsgs: [3, 4, 2].map(sentTo), ...(watchedBy && { watched: watchedBy }) })
    const stored = [built.row['in_bits'], ...built.sent.map(({ bits }) => bits!)]
    assert.ok(stored.every((bits) => decodeMessageBits(bits as number).kind !== MESSAGE_KIND.elsewhere))
    return [built.blockSet.transactions.inKinds[0], ...built.blockSet.messages.kinds]
  }
  const { internal: here, elsewhere, system } = MESSAGE_KIND
  assert.deepEqual(kindsOf(internal({ source: address(0, 1) }), watched), [elsewhere, elsewhere, here, here])
  assert.deepEqual(kindsOf(internal({ source: address(0, 4) }), watched), [here, elsewhere, here, here])
  assert.deepEqual(kindsOf(internal({ source: address(0, 1) }), undefined), [here, here, here, here])
  const made = internal({ source: address(-1, 0), createdLt: START_LT })
  assert.deepEqual(kindsOf(made, watched), [system, elsewhere, here, here])
})

test('no message, and one that leaves the chain', () => {
  const out: Message = {
    info: {
      kind: 'externalOut',
      source: address(0, 2),
      destination: { kind: 'extern', bits: 8, value: Uint8Array.of(1) },
      createdLt: 1001n,
      createdAt: 1_700_000_002,
    },
    init: undefined,
    body: wholeSlice(new CellWriter().writeUint(0xfeedbeef, 32).toCell()),
  }
  const { row, sent, blockSet, cell } = decodeBuilt({ outMsgs: [out] })
  for (const name of [
    'in_hash',
    'in_value',
    'in_created_lt',
    'in_created_at',
    'in_opcode',
    'in_source',
    'in_body_hash',
  ]) {
    assert.equal(row[name], null)
  }
  assert.equal(row['in_bits'], MESSAGE_KIND.none)
  assert.equal(toHex(unpackDescription(row['description'] as Uint8Array).hash()), toHex(cell.ref(2).hash()))
  const [message] = sent
  assert.deepEqual(
    [message!['bits'], message!['value'], message!['destination'], message!['created_at'], message!['opcode']],
    [MESSAGE_KIND.externalOut, null, null, 1_700_000_002, 0xfeedbeef | 0],
  )
  assert.deepEqual([...blockSet.messages.kinds], [MESSAGE_KIND.externalOut])
  assert.deepEqual([...blockSet.transactions.outStarts], [0, 1])
})

test('bodies and their first 32 bits', () => {
  const bits = (value: number, count: number): Cell => new CellWriter().writeUint(value, count).toCell()
  const library = new CellWriter().writeUint(2, 8).writeBytes(filled(8)).toExoticCell()
  const cases: readonly [MessageBody, opcode: number | null, body: Cell | undefined][] = [
    [nothing, null, undefined],
    [emptyCell, null, undefined],
    [bits(5, 31), null, bits(5, 31)],
    [wholeSlice(bits(0x7fffffff, 32)), 0x7fffffff, bits(0x7fffffff, 32)],
    [wholeSlice(bits(0x1ffffffff, 33)), -1, bits(0x1ffffffff, 33)],
    [library, null, library],
  ]
  for (const [body, opcode, kept] of cases) {
    const { row, blockSet } = decodeBuilt({ inMsg: internal({}, body) })
    assert.equal(row['in_opcode'], opcode)
    assert.equal(hex(row['in_body_hash']), kept === undefined ? null : toHex(kept.hash()))
    assert.equal(blockSet.contents.count, kept === undefined ? 0 : 1)
  }
})

test('an initial state has one hash, wherever it stands, and what is equal is kept once', () => {
  const value = {
    fixedPrefixLength: undefined,
    special: undefined,
    code: new CellWriter().writeUint(1, 8).toCell(),
    data: emptyCell,
    library: undefined,
  }
  for (const inRef of [false, true]) {
    const inMsg = { ...internal(), init: { inRef, value } }
    const { row, sent, blockSet } = decodeBuilt({
      inMsg,
      outMsgs: [{ ...internal({ bounce: true }), init: { inRef, value } }],
    })
    assert.equal(hex(row['in_init_hash']), toHex(stateInitHash(value)))
    assert.equal(hex(sent[0]!['init_hash']), toHex(stateInitHash(value)))
    assert.equal(blockSet.contents.count, 1)
  }
})

test('messages from outside: their fee, and the hash by which they are known', () => {
  // Section 2.2 of the contract of the indexed interface.
  const body = decodeSingleBoc(fromBase64('te6cckEBAQEADAAAFAAAAABmaW5pc2jiLUfQ'))
  const vectors = [
    [
      '0:06E8BE572FAFB802140EB4D8DE570EC4143DABCDE563EF3B78B665E3E7DCA730',
      '0VgRU6LYuqZ1aEd3J56pBp8WOnei2IKzsP8BLqTWjQs=',
      'Q7HMzXzCQJy5o4jsDPgFO8T0GkSx/I5Q3UemIKVZGDM=',
    ],
    [
      '0:41AA56531632822511CB32D2E75E685524D5163A4F441406D775DEE697AE6B37',
      'DUGVuODpxdF24g8giwuDybqlzVMCL1eetiPBCRCj/sE=',
      'I7Xsk1ljgnFrV1TV3wrjyUjHS62pipjrdmpc7XsFyZE=',
    ],
  ] as const
  for (const [destination, hash, normalHash] of vectors) {
    const external = (importFee: bigint, where: MessageBody): Message => ({
      info: {
        kind: 'externalIn',
        source: { kind: 'none' },
        destination: { kind: 'std', ...parseAddress(destination), anycast: undefined },
        importFee,
      },
      init: undefined,
      body: where,
    })
    const inline = decodeBuilt({ inMsg: external(0n, wholeSlice(body)) })
    assert.equal(toBase64(inline.row['in_hash'] as Uint8Array), hash)
    assert.equal(toBase64(inline.row['in_hash_norm'] as Uint8Array), normalHash)
    assert.equal(toBase64(inline.blockSet.transactions.inNormalHashes), normalHash)
    assert.deepEqual([inline.row['in_import_fee'], inline.row['in_value'], inline.row['in_source']], [0n, null, null])
    const inRef = decodeBuilt({ inMsg: external(0n, body) })
    assert.equal(toBase64(inRef.row['in_hash'] as Uint8Array), normalHash)
    assert.equal(inRef.row['in_hash_norm'], null)
    assert.equal(decodeBuilt({ inMsg: external(2n ** 63n - 1n, body) }).row['in_import_fee'], 2n ** 63n - 1n)
    const large = decodeBuilt({ inMsg: external(2n ** 63n, body) })
    assert.deepEqual([large.row['in_import_fee'], large.row['large']], [null, null])
  }
})

test('messages that no transaction could have sent', () => {
  const outside: Message = {
    info: { kind: 'externalIn', source: { kind: 'none' }, destination: address(0, 2), importFee: 0n },
    init: undefined,
    body: nothing,
  }
  assert.throws(() => decodeBuilt({ outMsgs: [outside] }), CellError)
  assert.throws(() => decodeBuilt({ outMsgs: [internal({ createdLt: 1002n })] }), CellError)
  assert.throws(() => decodeBuilt({ outMsgs: [internal()], fields: { outMsgCount: 2 } }), CellError)
  assert.throws(() => decodeBuilt({ outMsgs: [internal()], fields: { outMsgCount: 0 } }), CellError)
})

test('times beyond 2038 are the same 32 bits', () => {
  const { row } = decodeBuilt({ inMsg: internal({ createdAt: 2 ** 32 - 1 }), fields: { now: 2 ** 31 } })
  assert.deepEqual([(row['now'] as number) >>> 0, (row['in_created_at'] as number) >>> 0], [2 ** 31, 2 ** 32 - 1])
})
