import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  Address,
  beginCell,
  type CommonMessageInfo,
  Cell as CoreCell,
  comment,
  convertToMerkleProof,
  ExternalAddress,
  type StateInit,
  storeMessage,
  storeStateInit,
} from '@ton/core'
import type { Static } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { Dict } from '../../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { extraCurrenciesType } from '../../../codec/tlb/CurrencyCollection.ts'
import { outMsgsType, writeTransaction } from '../../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import { toTransactionReading } from '../TransactionReading.ts'
import {
  type ExtTransactionView,
  type RawTransactionView,
  writeExtTransaction,
  writeRawTransaction,
} from './transactions.ts'

const accountHash = Buffer.alloc(32, 0x83)
const account = new Address(0, accountHash)
const other = new Address(-1, Buffer.alloc(32, 0x33))
const zeros = new Uint8Array(32)

const storage: TransactionDescr = {
  kind: 'storage',
  storagePhase: { storageFeesCollected: 3n, storageFeesDue: undefined, statusChange: 'unchanged' },
}

type Messages = { readonly inMsg?: CoreCell; readonly outMsgs?: readonly CoreCell[] }

const ours = (cell: CoreCell): Cell => decodeSingleBoc(new Uint8Array(cell.toBoc()))

const readingOf = ({ inMsg, outMsgs = [] }: Messages) => {
  const cell = writeWhole(writeTransaction, {
    accountAddr: new Uint8Array(accountHash),
    lt: 66_822_814_000_007n,
    prevTransHash: zeros,
    prevTransLt: 66_822_814_000_003n,
    now: 1_770_840_795,
    outMsgCount: outMsgs.length,
    origStatus: 'active',
    endStatus: 'active',
    inMsg: inMsg && ours(inMsg),
    outMsgs: Dict.of(
      outMsgsType,
      outMsgs.map((message, number) => [number, ours(message)] as const),
    ),
    totalFees: { grams: 2707n, extra: Dict.of(extraCurrenciesType, []) },
    stateUpdate: { oldHash: zeros, newHash: zeros },
    description: storage,
  })
  return toTransactionReading(0, { transaction: cell, lt: 66_822_814_000_007n, hash: cell.hash() })
}

const internalInfo = (fwdFee: bigint): CommonMessageInfo => ({
  type: 'internal',
  ihrDisabled: true,
  bounce: true,
  bounced: false,
  src: other,
  dest: account,
  value: { coins: 1_000_000n },
  ihrFee: 0n,
  forwardFee: fwdFee,
  createdLt: 66_822_814_000_006n,
  createdAt: 1_770_840_790,
})

const messageOf = (body: CoreCell, info: CommonMessageInfo = internalInfo(266_669n), init?: StateInit): CoreCell =>
  beginCell()
    .store(storeMessage({ info, body, ...(init && { init }) }, { forceRef: body.isExotic }))
    .endCell()

type Reading = ReturnType<typeof readingOf>

const toExtTransactionView = (reading: Reading): Static<typeof ExtTransactionView> =>
  JSON.parse(writeExtTransaction(reading))

const toRawTransactionView = (reading: Reading): Static<typeof RawTransactionView> =>
  JSON.parse(writeRawTransaction(reading))

const viewOf = (body: CoreCell, init?: StateInit) =>
  toExtTransactionView(readingOf({ inMsg: messageOf(body, undefined, init) })).in_msg!

describe('a transaction of a history', () => {
  it('has the account in all forms, its fees and its messages', () => {
    const inMsg = messageOf(CoreCell.fromBase64('te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='))
    const outMsgs = [messageOf(comment('one'), internalInfo(1000n)), messageOf(comment('two'), internalInfo(500n))]
    const reading = readingOf({ inMsg, outMsgs })
    const { in_msg, out_msgs, data, ...view } = toExtTransactionView(reading)
    assert.deepEqual(view, {
      '@type': 'ext.transaction',
      address: { '@type': 'accountAddress', account_address: account.toString() },
      account: `0:${'83'.repeat(32)}`,
      utime: 1_770_840_795,
      transaction_id: {
        '@type': 'internal.transactionId',
        lt: '66822814000007',
        hash: Buffer.from(reading.hash).toString('base64'),
      },
      fee: '4207',
      storage_fee: '3',
      other_fee: '4204',
    })
    assert.equal(CoreCell.fromBase64(data).hash().toString('base64'), view.transaction_id.hash)
    assert.deepEqual(in_msg, {
      '@type': 'ext.message',
      hash: inMsg.hash().toString('base64'),
      source: other.toString(),
      destination: account.toString(),
      value: '1000000',
      extra_currencies: [],
      fwd_fee: '266669',
      ihr_fee: '0',
      created_lt: '66822814000006',
      body_hash: 'P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic=',
      msg_data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=', init_state: '' },
      message: '1TJ22wAAAAAAAAAH\n',
    })
    assert.deepEqual(
      out_msgs.map(({ message }) => message),
      ['one', 'two'],
    )
  })

  it('has no member for a message that there is not', () => {
    const view = toExtTransactionView(readingOf({}))
    assert.equal('in_msg' in view, false)
    assert.deepEqual(view.out_msgs, [])
    assert.equal('in_msg' in toRawTransactionView(readingOf({})), false)
  })

  it('leaves out what messages from and to the outside do not have', () => {
    const inMsg = messageOf(comment('hello'), { type: 'external-in', dest: account, importFee: 1n })
    const out = messageOf(beginCell().endCell(), {
      type: 'external-out',
      src: account,
      dest: new ExternalAddress(5n, 8),
      createdLt: 66_822_814_000_008n,
      createdAt: 1,
    })
    const reading = readingOf({ inMsg, outMsgs: [out] })
    const { in_msg, out_msgs } = toExtTransactionView(reading)
    const none = { value: '0', fwd_fee: '0', ihr_fee: '0', extra_currencies: [] }
    const { source, destination, created_lt, value, fwd_fee, ihr_fee, extra_currencies } = in_msg!
    assert.deepEqual([source, destination, created_lt], ['', account.toString(), '0'])
    assert.deepEqual({ value, fwd_fee, ihr_fee, extra_currencies }, none)
    assert.deepEqual(
      [out_msgs[0]?.source, out_msgs[0]?.destination, out_msgs[0]?.created_lt],
      [account.toString(), '', '66822814000008'],
    )
    const raw = toRawTransactionView(reading)
    assert.deepEqual(raw.in_msg?.source, { '@type': 'accountAddress', account_address: '' })
    assert.deepEqual(raw.out_msgs[0]?.destination, { '@type': 'accountAddress', account_address: '' })
    assert.equal('message' in raw.in_msg!, false)
  })
})

describe('the body of a message', () => {
  it('is a comment after 32 zero bits', () => {
    const { msg_data, message } = viewOf(comment('hello'))
    assert.deepEqual([msg_data, message], [{ '@type': 'msg.dataText', text: 'aGVsbG8=' }, 'hello'])
  })

  it('may have characters that JSON escapes', () => {
    assert.equal(viewOf(comment('"a\\b"\n\u0001 ‐ 😀')).message, '"a\\b"\n\u0001 ‐ 😀')
  })

  it('is a long comment over many cells', () => {
    const text = 'ни'.repeat(700)
    const { msg_data, message } = viewOf(comment(text))
    assert.deepEqual([msg_data['@type'], message], ['msg.dataText', text])
  })

  it('is an empty comment with nothing after them', () => {
    const { msg_data, message } = viewOf(beginCell().storeUint(0, 32).endCell())
    assert.deepEqual([msg_data, message], [{ '@type': 'msg.dataText', text: '' }, ''])
  })

  it('keeps its bytes where they are no text', () => {
    const body = beginCell().storeUint(0, 32).storeUint(0xfffe, 16).endCell()
    const view = viewOf(body)
    assert.deepEqual(view.msg_data, { '@type': 'msg.dataText', text: '//4=' })
    assert.equal('message' in view, false)
    assert.equal(view.message_decode_error, 'The comment is not UTF-8.')
  })

  it('is encrypted comment after its tag', () => {
    const readable = viewOf(beginCell().storeUint(0x2167da4b, 32).storeBuffer(Buffer.from('abc')).endCell())
    assert.deepEqual(readable.msg_data, { '@type': 'msg.dataEncryptedText', text: 'YWJj' })
    assert.equal(readable.message, 'abc')
    const cipher = viewOf(beginCell().storeUint(0x2167da4b, 32).storeUint(0xff, 8).endCell())
    assert.equal('message' in cipher, false)
    assert.equal(typeof cipher.message_decode_error, 'string')
  })

  it('is raw where it is anything else', () => {
    const odd = beginCell().storeUint(0, 32).storeUint(1, 3).endCell()
    const short = beginCell().storeUint(0, 31).endCell()
    const deep = beginCell().storeUint(0xabcde, 20).storeRef(comment('unseen')).endCell()
    for (const [body, message] of [
      [odd, 'AAAAACA=\n'],
      [short, 'AAAAAA==\n'],
      [deep, 'q83g\n'],
      [beginCell().endCell(), ''],
    ] as const) {
      const view = viewOf(body)
      assert.equal(view.message, message)
      assert.equal(view.body_hash, body.hash().toString('base64'))
      assert.equal(view.msg_data['@type'], 'msg.dataRaw')
    }
  })

  it('may be a proof, or lead to one', () => {
    const proof = convertToMerkleProof(comment('proven'))
    const view = viewOf(proof)
    assert.equal(view.msg_data['@type'], 'msg.dataRaw')
    assert.deepEqual(Buffer.from(view.message!, 'base64'), proof.bits.subbuffer(0, proof.bits.length))
    const leading = viewOf(beginCell().storeUint(0, 32).storeRef(proof).endCell())
    assert.equal(leading.msg_data['@type'], 'msg.dataRaw')
    assert.equal(leading.message, 'AAAAAA==\n')
  })

  it('stands beside the state that a message brings along', () => {
    const init = { code: comment('code'), data: comment('data') }
    const { msg_data } = viewOf(beginCell().storeUint(7, 8).endCell(), init)
    assert.ok(msg_data['@type'] === 'msg.dataRaw')
    const expected = beginCell().store(storeStateInit(init)).endCell()
    assert.deepEqual(CoreCell.fromBase64(msg_data.init_state).hash(), expected.hash())
  })
})
