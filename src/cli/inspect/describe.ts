import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import type { Account } from '../../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import {
  bodyCell,
  type Message,
  type MessageRelaxed,
  normalizedExternalHash,
  readMessage,
} from '../../codec/tlb/Message.ts'
import { findStandardAddress, type MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { openOutMsgDescr } from '../../codec/tlb/OutMsgDescr.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { ActionPhase, ComputePhase } from '../../codec/tlb/transactionPhases.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { findWalletKind } from '../../contracts/wallets.ts'
import { formatFriendlyAddress, formatRawAddress } from '../../primitives/Address.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'

/** What was found in something, as a program gets it; a person sees the same, indented. */
export type Finding = { readonly [name: string]: Found }

export type Found = string | number | boolean | undefined | readonly Found[] | Finding

/** Lines of `name  value`, what is inside something below it and further to the right. */
export const formatFinding = (finding: Finding): string => linesOf(finding).join('\n')

const linesOf = (finding: Finding): string[] => {
  const entries = Object.entries(finding).filter(([, value]) => !isNothing(value))
  const width = Math.max(0, ...entries.filter(([, value]) => isPlain(value)).map(([name]) => name.length))
  return entries.flatMap(([name, value]) =>
    isPlain(value) ? [`${name.padEnd(width)}  ${value}`] : [name, ...indent(linesOfParts(value))],
  )
}

const linesOfParts = (parts: readonly Found[] | Finding): string[] => {
  if (!isList(parts)) return linesOf(parts)
  return parts.flatMap((part) => {
    if (isPlain(part)) return [String(part)]
    const [first = '', ...rest] = linesOfParts(part)
    return [`- ${first}`, ...indent(rest)]
  })
}

const isNothing = (value: Found): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

const isList = (value: readonly Found[] | Finding): value is readonly Found[] => Array.isArray(value)

const isPlain = (value: Found): value is string | number | boolean | undefined => typeof value !== 'object'

export const describeMessage = (cell: Cell, message: Message | MessageRelaxed, decoder: BodyDecoder): Finding => {
  const { info, init, body } = message
  return {
    kind: `message, ${kinds[info.kind]}`,
    hash: toHex(cell.hash()),
    ...(info.kind === 'externalIn' && { normalized_hash: toHex(normalizedExternalHash({ ...message, info })) }),
    source: describeAddress(info.source),
    destination: describeAddress(info.destination),
    ...(info.kind === 'internal' && {
      ...describeAmount(info.value),
      bounce: info.bounce,
      bounced: info.bounced,
      fwd_fee: String(info.fwdFee),
    }),
    ...(info.kind === 'externalIn'
      ? { import_fee: String(info.importFee) }
      : { created_lt: String(info.createdLt), created_at: formatTime(info.createdAt) }),
    ...(init !== undefined && { state_init: describeInit(init.value) }),
    body: describeBody(bodyCell(body), decoder),
  }
}

const kinds = { internal: 'internal', externalIn: 'from outside', externalOut: 'to the outside' } as const

/** What stands in a body, by the layouts that are known; else what it begins with. */
export const describeBody = (body: Cell, decoder: BodyDecoder): Finding => {
  const opcode = body.isExotic || body.bits < 32 ? undefined : openCell(body).readUint(32)
  return {
    hash: toHex(body.hash()),
    bits: body.bits,
    refs: body.refCount,
    ...(opcode !== undefined && { opcode: `0x${opcode.toString(16).padStart(8, '0')}`, name: decoder.nameOf(opcode) }),
    decoded: decoder.decode(body) ?? 'no layout fits',
  }
}

export const describeInit = ({ code, data, library, special }: StateInit): Finding => ({
  code_hash: code && toHex(code.hash()),
  ...(code !== undefined && { wallet: findWalletKind(code.hash())?.interfaceName }),
  data_hash: data && toHex(data.hash()),
  ...(library !== undefined && { library_hash: toHex(library.hash()) }),
  ...(special !== undefined && { tick: special.tick, tock: special.tock }),
})

const describeAmount = ({ grams, extra }: CurrencyCollection): Finding => ({
  value: String(grams),
  ...(!extra.isEmpty && {
    extra_currencies: Object.fromEntries(extra.entries().map(([id, amount]) => [String(id), String(amount)])),
  }),
})

const describeAddress = (address: MsgAddress): string => {
  const standard = findStandardAddress(address)
  if (standard !== undefined) return formatFriendlyAddress(standard)
  if (address.kind === 'none') return 'none'
  return address.kind === 'extern' ? `external, ${address.bits} bits ${toHex(address.value)}` : 'not a standard address'
}

export const formatTime = (utime: number): string => `${utime} (${new Date(1000 * utime).toISOString().slice(0, 19)}Z)`

export const describeTransaction = (cell: Cell, transaction: Transaction, decoder: BodyDecoder): Finding => {
  const { description, inMsg } = transaction
  const readIn = (message: Cell): Finding =>
    describeMessage(message, readWhole(message, readMessage, 'A Message'), decoder)
  return {
    kind: 'transaction',
    hash: toHex(cell.hash()),
    account: toHex(transaction.accountAddr),
    lt: String(transaction.lt),
    now: formatTime(transaction.now),
    previous: `${toHex(transaction.prevTransHash)} at lt ${transaction.prevTransLt}`,
    status: `${transaction.origStatus} → ${transaction.endStatus}`,
    total_fees: String(transaction.totalFees.grams),
    state_update: `${toHex(transaction.stateUpdate.oldHash)} → ${toHex(transaction.stateUpdate.newHash)}`,
    ...describePhases(description),
    in_message: inMsg && readIn(inMsg),
    out_messages: listOutMsgs(transaction).map(readIn),
  }
}

const describePhases = (description: TransactionDescr): Finding => ({
  description: description.kind,
  ...('aborted' in description && { aborted: description.aborted }),
  ...('storagePhase' in description &&
    description.storagePhase !== undefined && {
      storage_fees: String(description.storagePhase.storageFeesCollected),
    }),
  ...('computePhase' in description && { compute: describeCompute(description.computePhase) }),
  ...('action' in description && description.action !== undefined && { action: describeAction(description.action) }),
  ...('bounce' in description && description.bounce !== undefined && { bounce: description.bounce.kind }),
})

const describeCompute = (phase: ComputePhase): Finding =>
  phase.kind === 'skipped'
    ? { skipped: phase.reason }
    : {
        success: phase.success,
        exit_code: phase.exitCode,
        gas_used: String(phase.gasUsed),
        gas_limit: String(phase.gasLimit),
        gas_fees: String(phase.gasFees),
        steps: phase.vmSteps,
      }

const describeAction = (phase: ActionPhase): Finding => ({
  success: phase.success,
  result_code: phase.resultCode,
  actions: phase.totalActions,
  messages_created: phase.msgsCreated,
  ...(phase.skippedActions > 0 && { skipped: phase.skippedActions }),
})

/** One line of a list of transactions. */
const summarizeTransaction = (cell: Cell, { lt, description, outMsgCount, inMsg }: Transaction): string => {
  const phase = 'computePhase' in description ? description.computePhase : undefined
  const exit =
    phase === undefined ? '' : phase.kind === 'skipped' ? `, skipped: ${phase.reason}` : `, exit code ${phase.exitCode}`
  const messages = `${inMsg === undefined ? 'no' : 'a'} message in, ${outMsgCount} out`
  return `${toHex(cell.hash())} lt ${lt} ${description.kind}${exit}, ${messages}`
}

/** As many as a person looks at; all are counted. */
const MOST_SHOWN = 50

export const describeBlock = (root: Cell, bytes: Uint8Array): Finding => {
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  const extra = openBlockExtra(block.extra)
  const { counts, shown } = listTransactions(info.workchain, extra)
  return {
    kind: 'block',
    id: formatBlockId(info),
    root_hash: toHex(root.hash()),
    file_hash: toHex(sha256(bytes)),
    global_id: block.globalId,
    time: formatTime(info.genUtime),
    lt: `${info.startLt} to ${info.endLt}`,
    previous: openPrevRef(info).map(({ seqno, rootHash }) => `${seqno} ${toHex(rootHash)}`),
    masterchain_reference: info.masterRef?.seqno,
    key_block: info.keyBlock,
    ...marks(info),
    created_by: toHex(extra.createdBy),
    counts: {
      ...counts,
      messages_in: count(openInMsgDescr(extra.inMsgDescr)),
      messages_out: count(openOutMsgDescr(extra.outMsgDescr)),
    },
    transactions: shown,
  }
}

const marks = (info: ReturnType<typeof openBlockInfo>): Finding => {
  const names = ['afterMerge', 'afterSplit', 'beforeSplit', 'wantMerge', 'wantSplit'] as const
  const set = names
    .filter((name) => info[name])
    .map((name) => name.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`))
  return set.length === 0 ? {} : { marks: set.join(', ') }
}

const listTransactions = (workchain: number, extra: ReturnType<typeof openBlockExtra>) => {
  const shown: Finding[] = []
  let accounts = 0
  let transactions = 0
  openAccountBlocks(extra).forEach((hash, { transactions: own }) => {
    accounts++
    const lines: string[] = []
    own.forEach((_lt, cell) => {
      transactions++
      if (transactions <= MOST_SHOWN) {
        lines.push(summarizeTransaction(cell, readWhole(cell, readTransaction, 'A Transaction')))
      }
    })
    if (lines.length > 0) shown.push({ [formatRawAddress({ workchain, hash })]: lines })
  })
  const more = transactions - MOST_SHOWN
  return {
    counts: { accounts, transactions },
    shown: more > 0 ? [...shown, `and ${more} more`] : shown,
  }
}

const count = (entries: { forEach(visit: () => void): void }): number => {
  let total = 0
  entries.forEach(() => {
    total++
  })
  return total
}

export const describeAccount = (account: Account): Finding => {
  if (account.kind === 'none') return { kind: 'account', state: 'nonexist' }
  const { address, state, balance, lastTransLt, storage } = account
  const { value, ...others } = describeAmount(balance)
  return {
    kind: 'account',
    address: describeAddress(address),
    state: state.kind,
    balance: value,
    ...others,
    last_transaction_end_lt: String(lastTransLt),
    storage_paid_until: formatTime(storage.lastPaid),
    ...(state.kind === 'frozen' && { state_hash: toHex(state.stateHash) }),
    ...(state.kind === 'active' && { contract: describeInit(state.init) }),
  }
}
