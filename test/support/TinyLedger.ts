import type { RunContext, TransactionCall, VirtualMachine } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { accountNoneCell, type ExistingAccount, openAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import { openBody, readMessage, writeMessage } from '../../src/codec/tlb/Message.ts'
import type { ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import type { StateInit } from '../../src/codec/tlb/StateInit.ts'
import { readTransaction, type Transaction } from '../../src/codec/tlb/Transaction.ts'
import type { VmStack } from '../../src/codec/tlb/VmStack.ts'
import { getMethodId } from '../../src/codec/tlb/VmValue.ts'
import { type Address, formatRawAddress } from '../../src/primitives/Address.ts'
import { amount } from './sampleMessages.ts'
import { sampleContext } from './vmSamples.ts'

/** What became of a message from outside: all transactions in order of their making, or the code of the refusal. */
export type Outcome =
  | { readonly kind: 'done'; readonly transactions: readonly Transaction[] }
  | { readonly kind: 'refused'; readonly exitCode: number | undefined }

/** Accounts and the real machine, without blocks: messages are delivered one after the other until none is left. */
export class TinyLedger {
  now = 1_700_000_000
  private lt = 10_000_000n
  private readonly accounts = new Map<string, ShardAccount>()
  private readonly machine: VirtualMachine
  private readonly config: Cell | undefined

  constructor(machine: VirtualMachine, config?: Cell) {
    this.machine = machine
    this.config = config
  }

  /** Puts an account there, uninitialised where no init is given. */
  put(address: Address, balance: bigint, init?: StateInit): void {
    const account: ExistingAccount = {
      kind: 'account',
      address: { kind: 'std', ...address, anycast: undefined },
      storage: { used: { cells: 1n, bits: 1n }, dictHash: undefined, lastPaid: this.now, duePayment: undefined },
      lastTransLt: 0n,
      balance: amount(balance),
      state: init === undefined ? { kind: 'uninit' } : { kind: 'active', init },
    }
    this.accounts.set(formatRawAddress(address), {
      account: writeWhole(writeAccount, account),
      lastTransHash: new Uint8Array(32),
      lastTransLt: 0n,
    })
  }

  find(address: Address): ExistingAccount | undefined {
    const stored = this.accounts.get(formatRawAddress(address))
    const account = stored === undefined ? undefined : openAccount(stored.account)
    return account?.kind === 'account' ? account : undefined
  }

  balanceOf(address: Address): bigint {
    return this.find(address)?.balance.grams ?? 0n
  }

  dataOf(address: Address): Cell {
    const state = this.find(address)?.state
    if (state?.kind !== 'active' || state.init.data === undefined) throw new Error('There is no active account here.')
    return state.init.data
  }

  /** Delivers a message and all that follow from it. */
  async send(message: Cell): Promise<Outcome> {
    const transactions: Transaction[] = []
    const waiting = [message]
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { info } = readWhole(next, readMessage, 'A message')
      if (info.kind === 'externalOut') continue
      if (info.destination.kind !== 'std') throw new Error('A message goes to an address that no account here has.')
      const { workchain, hash } = info.destination
      const outcome = await this.run({ workchain, hash }, { kind: 'message', message: next })
      if (outcome.kind === 'refused') return outcome
      transactions.push(...outcome.transactions)
      for (const [, out] of outcome.transactions[0]!.outMsgs.entries()) waiting.push(out)
    }
    return { kind: 'done', transactions }
  }

  /** One transaction of an account. */
  async run(address: Address, cause: TransactionCall['cause']): Promise<Outcome> {
    const name = formatRawAddress(address)
    this.lt += 1_000_000n
    const run = await this.machine.runTransaction({
      account: this.accounts.get(name) ?? {
        account: accountNoneCell,
        lastTransHash: new Uint8Array(32),
        lastTransLt: 0n,
      },
      cause,
      lt: this.lt,
      context: this.context(),
      ignoreSignatures: false,
      log: 'none',
    })
    if (run.kind === 'notAccepted') return { kind: 'refused', exitCode: run.exitCode }
    this.accounts.set(name, run.account)
    return { kind: 'done', transactions: [readTransaction(openCell(run.transaction))] }
  }

  async runMethod(address: Address, name: string, stack: VmStack = []): Promise<VmStack> {
    const account = this.find(address)
    if (account?.state.kind !== 'active') throw new Error('A method of an account that is not active was called.')
    const { code, data } = account.state.init
    const { exitCode, stack: result } = await this.machine.runMethod({
      contract: { address, code: code!, data: data!, balance: account.balance },
      methodId: getMethodId(name),
      stack,
      gasLimit: 1_000_000,
      context: this.context(),
      log: 'none',
    })
    if (exitCode !== 0) throw new Error(`Method ${name} ended with code ${exitCode}.`)
    return result
  }

  private context(): RunContext {
    return sampleContext({ now: this.now, ...(this.config === undefined ? {} : { config: this.config }) })
  }
}

/** The exit code of every transaction in order, `action n` where carrying out failed, `skipped` where no code ran. */
export const outcomeCodes = (outcome: Outcome): (number | string)[] => {
  if (outcome.kind === 'refused') return [`refused ${outcome.exitCode}`]
  return outcome.transactions.map(({ description }) => {
    if (description.kind !== 'ord' && description.kind !== 'tick_tock') return description.kind
    if (description.computePhase.kind === 'skipped') return 'skipped'
    const { action } = description
    if (action !== undefined && !action.success) return `action ${action.resultCode}`
    return description.computePhase.exitCode
  })
}

/** An internal message that comes to an account from another one. */
export const incomingMessage = (
  source: Address,
  destination: Address,
  value: bigint,
  body: Cell,
  init?: StateInit,
): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      source: { kind: 'std', ...source, anycast: undefined },
      destination: { kind: 'std', ...destination, anycast: undefined },
      value: amount(value),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 1n,
      createdAt: 1_700_000_000,
    },
    init: init === undefined ? undefined : { inRef: true, value: init },
    body,
  })

/** The first 32 bits of what came in, in hexadecimal digits, transaction by transaction. */
export const outcomeOpcodes = (outcome: Outcome): string[] => {
  if (outcome.kind === 'refused') return [`refused ${outcome.exitCode}`]
  return outcome.transactions.map(({ inMsg }) => {
    const body = openBody(readWhole(inMsg!, readMessage, 'A message').body)
    return body.remainingBits < 32 ? '' : body.readUint(32).toString(16).padStart(8, '0')
  })
}
