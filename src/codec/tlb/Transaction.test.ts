import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beginCell, loadMessage, loadTransaction, storeMessage } from '@ton/core'
import { toCoreCell } from '../../../test/support/coreCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Cell, wholeSlice } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { extraCurrenciesType, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { bodyCell, type Message, openBody, readMessage, writeMessage } from './Message.ts'
import { ADDR_NONE, type MsgAddressInt } from './MsgAddress.ts'
import {
  listOutMsgs,
  outMsgsType,
  readTotalFees,
  readTransaction,
  type Transaction,
  writeTransaction,
} from './Transaction.ts'
import {
  readStorageFee,
  readTransactionDescr,
  type TransactionDescr,
  writeTransactionDescr,
} from './TransactionDescr.ts'
import type { ActionPhase, BouncePhase, ComputePhase, ComputeSkipReason } from './transactionPhases.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const std = (byte: number, workchain = 0): MsgAddressInt => ({
  kind: 'std',
  workchain,
  hash: hash(byte),
  anycast: undefined,
})

const storagePhase = { storageFeesCollected: 147n, storageFeesDue: 3n, statusChange: 'frozen' } as const
const creditPhase = {
  dueFeesCollected: 9n,
  credit: {
    grams: 10n ** 18n,
    extra: Dict.of(extraCurrenciesType, [
      [100, 5n],
      [4294967279, 2n ** 200n],
    ]),
  },
}
const vm: ComputePhase = {
  kind: 'vm',
  success: true,
  msgStateUsed: false,
  accountActivated: true,
  gasFees: 3_126_000n,
  gasUsed: 3126n,
  gasLimit: 1_000_000n,
  gasCredit: 10_000n,
  mode: -1,
  exitCode: -14,
  exitArg: -2147483648,
  vmSteps: 4294967295,
  vmInitStateHash: hash(1),
  vmFinalStateHash: hash(2),
}
const action: ActionPhase = {
  success: false,
  valid: true,
  noFunds: true,
  statusChange: 'deleted',
  totalFwdFees: 1n,
  totalActionFees: undefined,
  resultCode: 37,
  resultArg: 1,
  totalActions: 255,
  specActions: 1,
  skippedActions: 2,
  msgsCreated: 65535,
  actionListHash: hash(3),
  totalMsgSize: { cells: 2n ** 40n, bits: 0n },
}
const bounce: BouncePhase = { kind: 'ok', msgSize: { cells: 1n, bits: 2n }, msgFees: 3n, fwdFees: 4n }
const splitInfo = { curShardPfxLen: 63, accSplitDepth: 1, thisAddr: hash(4), siblingAddr: hash(5) }
const ordinary: TransactionDescr = {
  kind: 'ord',
  creditFirst: true,
  storagePhase,
  creditPhase,
  computePhase: vm,
  action,
  aborted: false,
  bounce,
  destroyed: true,
}

const descriptions: Readonly<Record<string, TransactionDescr>> = {
  ordinary,
  'ordinary with nothing optional': {
    ...ordinary,
    storagePhase: undefined,
    creditPhase: undefined,
    action: undefined,
    bounce: undefined,
    computePhase: { ...vm, gasCredit: undefined, exitArg: undefined },
  },
  storage: { kind: 'storage', storagePhase: { ...storagePhase, storageFeesDue: undefined, statusChange: 'unchanged' } },
  'tick-tock': {
    kind: 'tick_tock',
    isTock: true,
    storagePhase,
    computePhase: vm,
    action,
    aborted: true,
    destroyed: false,
  },
  'split prepare': {
    kind: 'split_prepare',
    splitInfo,
    storagePhase,
    computePhase: vm,
    action: undefined,
    aborted: true,
    destroyed: false,
  },
  'merge prepare': { kind: 'merge_prepare', splitInfo, storagePhase, aborted: true },
}
for (const reason of ['no_state', 'bad_state', 'no_gas', 'suspended'] satisfies ComputeSkipReason[]) {
  Object.assign(descriptions, { [`skipped: ${reason}`]: { ...ordinary, computePhase: { kind: 'skipped', reason } } })
}
for (const phase of [
  { kind: 'negfunds' },
  { kind: 'nofunds', msgSize: { cells: 7n, bits: 8n }, reqFwdFees: 9n },
] satisfies BouncePhase[]) {
  Object.assign(descriptions, { [`bounce: ${phase.kind}`]: { ...ordinary, bounce: phase } })
}

const internal: Message = {
  info: {
    kind: 'internal',
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    source: std(6),
    destination: std(7, -1),
    value: { grams: 10n ** 9n, extra: Dict.of(extraCurrenciesType, [[100, 5n]]) },
    extraFlags: 0n,
    fwdFee: 400_000n,
    createdLt: 2n ** 63n,
    createdAt: 1_700_000_000,
  },
  init: undefined,
  body: wholeSlice(new CellWriter().writeUint(0x12345678, 32).writeRef(emptyCell).toCell()),
}
const code = new CellWriter().writeUint(1, 8).toCell()
const init = {
  fixedPrefixLength: undefined,
  special: { tick: true, tock: false },
  code,
  data: emptyCell,
  library: undefined,
}

const messages: Readonly<Record<string, Message>> = {
  'internal with the body in line': internal,
  'internal with the body in a reference': { ...internal, body: bodyCell(internal.body) },
  'with a StateInit in line': { ...internal, init: { inRef: false, value: init } },
  'with a StateInit in a reference': { ...internal, init: { inRef: true, value: { ...init, fixedPrefixLength: 5 } } },
  'external in': {
    info: { kind: 'externalIn', source: ADDR_NONE, destination: std(8), importFee: 0n },
    init: undefined,
    body: emptyCell,
  },
  'external out to an address of 13 bits': {
    info: {
      kind: 'externalOut',
      source: std(9),
      destination: { kind: 'extern', bits: 13, value: Uint8Array.of(0xab, 0xc8) },
      createdLt: 5n,
      createdAt: 6,
    },
    init: undefined,
    body: wholeSlice(emptyCell),
  },
}

const transactionOf = (description: TransactionDescr, outMsgs: readonly Cell[] = []): Transaction => ({
  accountAddr: hash(10),
  lt: 2n ** 64n - 1n,
  prevTransHash: hash(11),
  prevTransLt: 7n,
  now: 4_294_967_295,
  outMsgCount: outMsgs.length,
  origStatus: 'nonexist',
  endStatus: 'active',
  inMsg: writeWhole(writeMessage, internal),
  outMsgs: Dict.of(outMsgsType, outMsgs.entries()),
  totalFees: { grams: 1234n, extra: ZERO_CURRENCY.extra },
  stateUpdate: { oldHash: hash(12), newHash: hash(13) },
  description,
})

describe('TransactionDescr', () => {
  for (const [name, description] of Object.entries(descriptions)) {
    it(`is read as it was written: ${name}`, () => {
      const cell = writeWhole(writeTransactionDescr, description)
      const again = readWhole(cell, readTransactionDescr, 'A description')
      assert.equal(again.kind, description.kind)
      const { storagePhase } = 'storagePhase' in description ? description : {}
      assert.equal(readStorageFee(openCell(cell)), storagePhase?.storageFeesCollected ?? 0n)
      assert.equal(toHex(writeWhole(writeTransactionDescr, again).hash()), toHex(cell.hash()))
      // Dictionaries hold cells, so they are compared by the hash above; all else by value.
      const plain = (value: unknown) =>
        JSON.stringify(value, (key, v) => (key === 'extra' ? undefined : typeof v === 'bigint' ? `${v}n` : v))
      assert.equal(plain(again), plain(description))
    })
  }

  for (const kind of ['split_install', 'merge_install'] as const) {
    it(`keeps the transaction that prepared a ${kind}`, () => {
      const prepareTransaction = writeWhole(writeTransaction, transactionOf(descriptions['storage']!))
      const description: TransactionDescr =
        kind === 'split_install'
          ? { kind, splitInfo, prepareTransaction, installed: true }
          : {
              kind,
              splitInfo,
              prepareTransaction,
              storagePhase,
              creditPhase: undefined,
              computePhase: vm,
              action,
              aborted: false,
              destroyed: true,
            }
      const cell = writeWhole(writeTransactionDescr, description)
      const fee = kind === 'split_install' ? 0n : storagePhase.storageFeesCollected
      assert.equal(readStorageFee(openCell(cell)), fee)
      const again = readWhole(cell, readTransactionDescr, 'A description')
      assert.ok('prepareTransaction' in again && again.prepareTransaction.equals(prepareTransaction))
      assert.ok(writeWhole(writeTransactionDescr, again).equals(writeWhole(writeTransactionDescr, description)))
    })
  }

  it('refuses unknown tags', () => {
    for (const tag of [0b1000, 0b1111]) {
      const cell = new CellWriter().writeUint(tag, 4).writeUint(0, 40).toCell()
      assert.throws(() => readTransactionDescr(openCell(cell)), CellError)
    }
  })
})

describe('Transaction', () => {
  const outMsgs = Object.values(messages)
    .filter(({ info }) => info.kind !== 'externalIn')
    .map((message) => writeWhole(writeMessage, message))

  for (const name of ['ordinary', 'tick-tock', 'storage', 'bounce: nofunds', 'skipped: no_gas']) {
    it(`is read by another library with the same content: ${name}`, () => {
      const transaction = transactionOf(descriptions[name]!, outMsgs)
      const cell = writeWhole(writeTransaction, transaction)
      const theirs = loadTransaction(toCoreCell(cell).beginParse())
      assert.equal(theirs.hash().toString('hex'), toHex(cell.hash()))
      assert.equal(theirs.lt, transaction.lt)
      assert.equal(theirs.outMessagesCount, 5)
      assert.equal(theirs.totalFees.coins, 1234n)
      assert.equal(theirs.endStatus, 'active')
      assert.equal(theirs.outMessages.size, 5)
      const again = readWhole(cell, readTransaction, 'A transaction')
      assert.ok(writeWhole(writeTransaction, again).equals(cell))
      assert.deepEqual(
        listOutMsgs(again).map((message) => toHex(message.hash())),
        outMsgs.map((message) => toHex(message.hash())),
      )
      assert.equal(readTotalFees(cell).grams, 1234n)
    })
  }

  it('refuses outgoing messages that are not as many as it says, or not numbered from 0', () => {
    const transaction = transactionOf(ordinary, outMsgs)
    assert.throws(() => listOutMsgs({ ...transaction, outMsgCount: 4 }), CellError)
    assert.throws(() => listOutMsgs({ ...transaction, outMsgs: transaction.outMsgs.delete(2) }), CellError)
  })
})

describe('Message', () => {
  for (const [name, message] of Object.entries(messages)) {
    it(`is read as it was written, here and by another library: ${name}`, () => {
      const cell = writeWhole(writeMessage, message)
      const again = readWhole(cell, readMessage, 'A message')
      assert.ok(writeWhole(writeMessage, again).equals(cell))
      assert.equal(again.info.kind, message.info.kind)
      assert.equal(toHex(bodyCell(again.body).hash()), toHex(bodyCell(message.body).hash()))
      const theirs = loadMessage(toCoreCell(cell).beginParse())
      assert.equal(theirs.body.hash().toString('hex'), toHex(bodyCell(again.body).hash()))
      assert.equal(theirs.init !== undefined && theirs.init !== null, message.init !== undefined)
      const forceRef = { forceRef: message.init?.inRef === true }
      const stored = beginCell().store(storeMessage(theirs, forceRef)).endCell()
      const reread = readMessage(openCell(writeWhole(writeMessage, again)))
      assert.equal(reread.info.kind, again.info.kind)
      assert.equal(loadMessage(stored.beginParse()).info.type, theirs.info.type)
    })
  }

  it('opens a body wherever it stands', () => {
    for (const name of ['internal with the body in line', 'internal with the body in a reference']) {
      const { body } = readWhole(writeWhole(writeMessage, messages[name]!), readMessage, 'A message')
      const r = openBody(body)
      assert.equal(r.readUint(32), 0x12345678)
      assert.equal(r.remainingRefs, 1)
    }
  })
})
