import { type Static, Type } from 'typebox'
import type { VmRecording } from '../../chain/recording.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../codec/cell/wholeCell.ts'
import { packDescription } from '../../codec/stored/packDescription.ts'
import { writeShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { listOutMsgs, readTransaction } from '../../codec/tlb/Transaction.ts'
import { writeTransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { Debugger } from '../../debug/Debugger.ts'
import { globalVersionOf } from '../../debug/replay/ReplayInputs.ts'
import type { Replay } from '../../debug/replay/replayTransaction.ts'
import { describeReplay, type Money, type RunDescription } from '../../debug/result/describeReplay.ts'
import { toMessageRecord, toTransactionRecords } from '../../emulate/records.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { FeesView, toFeesView } from '../emulate/views.ts'
import type { AnswerBudget } from '../v3/AnswerBudget.ts'
import { MessageView, toMessageView } from '../v3/views/messages.ts'
import {
  AccountStatusView,
  AddressText,
  BocText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  ShardText,
  shardText,
} from '../v3/views/scalars.ts'
import { TransactionDescrView, toTransactionDescrView } from '../v3/views/transactionPhases.ts'
import { TransactionView, toTransactionView } from '../v3/views/transactions.ts'
import { CellsView, toVmView, VmView } from './vmViews.ts'

const DifferenceView = Type.Object(
  {
    member: Type.String({ examples: ['description.compute_phase.gas_used'] }),
    chain: Type.Union([Type.String(), Type.Null()]),
    replay: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: 'Difference' },
)

export const VerdictView = Type.Object(
  {
    replay: Type.Union(
      [
        Type.Literal('exact'),
        Type.Literal('state_exact'),
        Type.Literal('differs'),
        Type.Literal('partial'),
        Type.Literal('changed'),
      ],
      { description: 'exact: the transaction made here has the hash of the one on chain.' },
    ),
    differences: Type.Array(DifferenceView),
    missing: Type.Array(Type.String(), { description: 'What could not be had: libraries, previous_blocks.' }),
    machine: Type.Object({ name: Type.String(), global_version: Type.Integer() }),
    warning: Type.Optional(Type.String()),
  },
  { $id: 'Verdict' },
)

const FullBlockIdView = Type.Object(
  {
    workchain: Type.Integer(),
    shard: ShardText,
    seqno: Type.Integer(),
    root_hash: HashText,
    file_hash: HashText,
  },
  { $id: 'FullBlockId' },
)

const toFullBlockIdView = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: shardText(shard),
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})

/** Inputs of any run. */
export const inputMembers = {
  mc_block_seqno: Type.Integer({ description: 'Masterchain block of configuration and libraries.' }),
  config_hash: HashText,
  global_version: Type.Integer(),
  block_rand_seed: Type.String(),
  rand_seed: Type.String({ description: 'Of this account in this block.' }),
  now: Type.Integer(),
  lt: DecimalText,
  libraries: Type.Array(HashText),
  shard_account_before: BocText,
}

const InputsView = Type.Object(
  {
    block: FullBlockIdView,
    previous_block: FullBlockIdView,
    ...inputMembers,
    block_lt: DecimalText,
    previous_blocks: Type.Boolean(),
    replayed_before: Type.Array(HashText),
  },
  { $id: 'ReplayInputs', description: 'Everything that the run used.' },
)

const ActionView = Type.Object(
  {
    kind: Type.Union([
      Type.Literal('send'),
      Type.Literal('reserve'),
      Type.Literal('set_code'),
      Type.Literal('change_library'),
    ]),
    mode: Type.Optional(Type.Integer()),
    value: Type.Optional(DecimalText),
    destination: Type.Optional(AddressText),
    code_hash: Type.Optional(HashText),
    message: Type.Optional(MessageView),
    result_code: Type.Optional(Type.Integer()),
    skipped: Type.Boolean(),
    step: Type.Optional(Type.Integer({ description: 'Instruction that queued it.' })),
  },
  { $id: 'OutAction' },
)

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const StateView = Type.Object(
  {
    status: AccountStatusView,
    balance: DecimalText,
    extra_currencies: ExtraCurrenciesView,
    code_hash: orNull(HashText),
    data_hash: orNull(HashText),
    frozen_hash: orNull(HashText),
    last_paid: Type.Integer(),
    due_payment: DecimalText,
    storage_cells: DecimalText,
    storage_bits: DecimalText,
    storage: orNull(
      Type.Object(
        { layout: Type.String({ examples: ['wallet_v4r2'] }), fields: Type.Record(Type.String(), Type.String()) },
        { description: 'The data, decoded where the layout of the code is known.' },
      ),
    ),
  },
  { $id: 'DebugState' },
)

const StatesView = Type.Object({
  before: StateView,
  after: StateView,
  changes: Type.Array(
    Type.Object({ member: Type.String(), before: orNull(Type.String()), after: orNull(Type.String()) }),
  ),
})

const MoneyView = Type.Object(
  {
    before: DecimalText,
    in: DecimalText,
    out: DecimalText,
    fees: FeesView,
    burned: Type.Optional(DecimalText),
    after: DecimalText,
  },
  { $id: 'Money', description: 'before + in = after + out + fees.total + burned' },
)

const FailureView = Type.Object(
  {
    phase: Type.Union([Type.Literal('compute'), Type.Literal('action')]),
    exit_code: Type.Optional(Type.Integer()),
    result_code: Type.Optional(Type.Integer()),
    name: Type.String({ examples: ['out_of_gas'] }),
    meaning: Type.String(),
    action: Type.Optional(Type.Integer({ description: 'Index of the failed action.' })),
    step: Type.Optional(
      Type.Integer({ description: 'Instruction at which the run failed, or which queued the action.' }),
    ),
    location: Type.Optional(Type.Object({ cell: HashText, offset: Type.Integer() }, { $id: 'CodeLocation' })),
    caught: Type.Boolean(),
  },
  { $id: 'Failure' },
)

/** What a run has to tell, replayed or not. */
export const runMembers = {
  phases: Type.Optional(TransactionDescrView),
  vm: Type.Optional(VmView),
  skipped: Type.Optional(Type.String({ description: 'Why the contract did not run.' })),
  actions: Type.Array(ActionView),
  state: StatesView,
  money: Type.Optional(MoneyView),
  failure: Type.Optional(FailureView),
  cells: CellsView,
  log: Type.Optional(Type.String()),
}

type RunMembers = { [Name in keyof typeof runMembers]: Static<(typeof runMembers)[Name]> }

export const ReplayView = Type.Object(
  { transaction: TransactionView, verdict: VerdictView, inputs: InputsView, ...runMembers },
  { $id: 'Replay' },
)

export type ReplayView = Static<typeof ReplayView>

export type ShownReplay = {
  readonly replay: Replay
  readonly recording: VmRecording | undefined
  readonly log: string | undefined
  /** The transaction as the index has it. */
  readonly indexed: TransactionRecord | undefined
}

const EXTRA_FLAGS_VERSION = 12

export const toReplayView = (
  { replay, recording, log, indexed }: ShownReplay,
  { supportedVersion }: Pick<Debugger, 'supportedVersion'>,
  budget: AnswerBudget,
): ReplayView => {
  const { verdict } = replay
  return {
    transaction:
      indexed === undefined
        ? toTransactionView({ ...recordOf(replay), traceId: undefined, traceExternalHash: undefined }, budget)
        : toTransactionView(indexed, budget),
    verdict: {
      replay: verdict.replay,
      differences: [...verdict.differences],
      missing: [...verdict.missing],
      machine: { name: 'chaincenter', global_version: supportedVersion },
      ...(verdict.warning !== undefined && { warning: verdict.warning }),
    },
    inputs: toInputsView(replay),
    ...toRunMembers(replay, { recording, log }, budget),
  } as ReplayView
}

type Recorded = { readonly recording: VmRecording | undefined; readonly log: string | undefined }

/** Describes a run, with what was recorded of it. */
export const toRunMembers = (
  ran: Pick<Replay, 'call' | 'run'>,
  { recording, log }: Recorded,
  budget: AnswerBudget,
): RunMembers => {
  const described = describeReplay(ran, recording)
  return {
    ...(described.transaction !== undefined && {
      phases: toTransactionDescrView(
        packDescription(writeWhole(writeTransactionDescr, described.transaction.description)),
      ),
    }),
    ...(recording !== undefined && { vm: toVmView(recording) }),
    ...(described.skipped !== undefined && { skipped: described.skipped }),
    actions: toActionViews(described, ran, budget),
    state: { ...described.state, changes: [...described.state.changes] },
    ...(described.money !== undefined && { money: toMoneyView(described.money) }),
    ...(described.failure !== undefined && { failure: described.failure }),
    cells: recording?.cells ?? {},
    ...(log !== undefined && { log }),
  } as RunMembers
}

/** The transaction on chain as a record, where no index has it: its trace and its masterchain block are not known then. */
const recordOf = ({ inputs, chain, call, run }: Replay): TransactionRecord => {
  const { address, block, config } = inputs
  const transaction = readWhole(chain, readTransaction, 'A transaction')
  const emulated = {
    address,
    shardBlock: block.id,
    block: 0,
    cell: chain,
    transaction,
    outMessages: listOutMsgs(transaction),
    before: call.account,
    after: run.kind === 'executed' ? run.account : call.account,
    isOverridden: false,
    call,
  }
  const mcSeqno = block.id.workchain === masterchain ? block.id.seqno : 0
  const hash = chain.hash()
  const trace = { traceId: hash, externalHash: hash, hasExtraFlags: hasExtraFlags(config) }
  const [record] = toTransactionRecords([emulated], { ...trace, blockOf: () => ({ seqno: block.id.seqno, mcSeqno }) })
  return record!
}

const hasExtraFlags = (config: Replay['inputs']['config']): boolean => globalVersionOf(config) >= EXTRA_FLAGS_VERSION

const toInputsView = ({ inputs, call, libraries, hasPreviousBlocks }: Replay): Static<typeof InputsView> => {
  const { address, block, previousBlock, master, config, transactions } = inputs
  return {
    block: toFullBlockIdView(block.id),
    previous_block: toFullBlockIdView(previousBlock),
    mc_block_seqno: master.seqno,
    config_hash: toBase64(call.context.config.hash()),
    global_version: globalVersionOf(config),
    block_rand_seed: toBase64(block.randomSeed),
    rand_seed: toBase64(sha256(Buffer.concat([block.randomSeed, address.hash]))),
    now: call.context.now,
    lt: String(inputs.lt),
    block_lt: String(block.startLt),
    libraries: [...libraries.keys()].map((hash) => toBase64(fromHex(hash))),
    previous_blocks: hasPreviousBlocks,
    replayed_before: transactions.slice(0, -1).map((cell) => toBase64(cell.hash())),
    shard_account_before: toBase64(encodeBoc([writeWhole(writeShardAccount, call.account)])),
  }
}

const toActionViews = (
  { actions }: RunDescription,
  { call }: Pick<Replay, 'call'>,
  budget: AnswerBudget,
): Static<typeof ActionView>[] =>
  actions.map(({ kind, mode, value, destination, codeHash, message, resultCode, isSkipped, step }) => ({
    kind,
    ...(mode !== undefined && { mode }),
    ...(value !== undefined && { value: String(value) }),
    ...(destination !== undefined && { destination }),
    ...(codeHash !== undefined && { code_hash: toBase64(codeHash) }),
    ...(message !== undefined && {
      message: toMessageView(
        toMessageRecord(message, { hasExtraFlags: hasExtraFlags(call.context.config), receivedBy: undefined }),
        budget,
      ),
    }),
    ...(resultCode !== undefined && { result_code: resultCode }),
    skipped: isSkipped,
    ...(step !== undefined && { step }),
  }))

const toMoneyView = ({ before, in: incoming, out, fees, burned, after }: Money): Static<typeof MoneyView> => ({
  before: String(before),
  in: String(incoming),
  out: String(out),
  fees: toFeesView(fees),
  ...(burned !== 0n && { burned: String(burned) }),
  after: String(after),
})

export const StepsView = Type.Object(
  { vm: Type.Optional(VmView), cells: CellsView, log: Type.Optional(Type.String()) },
  { $id: 'StepsPage' },
)
