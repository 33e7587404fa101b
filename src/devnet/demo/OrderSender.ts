import type { Cell } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { OutgoingMessage } from '../contracts/messages.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { signTransfer } from '../wallets/signTransfer.ts'

/** What the demo needs from a network. */
export interface DemoPort {
  /** Takes an external message. */
  send(message: Cell): Promise<unknown>
  /** The result of a get-method, or `undefined` where there is no active account or the method fails. */
  runMethod(address: Address, method: string, stack: VmStack): Promise<VmStack | undefined>
  /** The time of the network, in seconds. */
  now(): number
  /** Resolves when another block has been made. */
  nextBlock(): Promise<void>
}

/** The integer at a position of a method's result, where there is one. */
export const findInt = (stack: VmStack | undefined, position: number): bigint | undefined => {
  const value = stack?.[position]
  return value?.kind === 'int' ? value.value : undefined
}

/** The address at a position of a method's result, where there is one. */
export const findAddress = (stack: VmStack | undefined, position: number): Address | undefined => {
  const value = stack?.[position]
  if (value?.kind !== 'slice') return undefined
  const address = readMsgAddress(openSlice(value.slice))
  return address.kind === 'std' ? { workchain: address.workchain, hash: address.hash } : undefined
}

/** Seconds for which an order may be carried out. */
const VALID_FOR = 60
/** Blocks to wait for the order before, then it counts as lost. */
const PATIENCE = 5
/** A highload wallet remembers numbers for a day; four for each second come round again after three weeks. */
const NUMBERS_PER_SECOND = 4
const NUMBERS = 8_000_000

/** Sends messages from developers' accounts, each order with the number that its wallet expects. */
export class OrderSender {
  private readonly port: DemoPort
  private readonly used = new Map<string, number>()

  constructor(port: DemoPort) {
    this.port = port
  }

  async send(account: DevAccount, messages: readonly OutgoingMessage[]): Promise<void> {
    const { seqno, deploy } =
      account.wallet.kind === 'highload-v3' ? await this.nextNumber(account) : await this.nextSeqno(account)
    this.used.set(account.name, seqno)
    const order = { seqno, validUntil: this.port.now() + VALID_FOR, messages }
    await this.port.send(signTransfer(account.wallet, account.key, order, { deploy }))
  }

  private async nextSeqno({ name, wallet }: DevAccount): Promise<{ seqno: number; deploy: boolean }> {
    const used = this.used.get(name) ?? -1
    for (let waited = 0; ; waited++) {
      const found = findInt(await this.port.runMethod(wallet.address, 'seqno', []), 0)
      const seqno = Number(found ?? 0n)
      if (seqno > used || waited === PATIENCE) return { seqno, deploy: found === undefined }
      await this.port.nextBlock()
    }
  }

  private async nextNumber({ name, wallet }: DevAccount): Promise<{ seqno: number; deploy: boolean }> {
    const isDeployed = (await this.port.runMethod(wallet.address, 'get_timeout', [])) !== undefined
    const first = (this.port.now() * NUMBERS_PER_SECOND) % NUMBERS
    const used = this.used.get(name) ?? -1
    const seqno = used >= first && used < first + NUMBERS_PER_SECOND * VALID_FOR ? used + 1 : first
    return { seqno, deploy: !isDeployed }
  }
}

/** The demo cannot continue: the network did not do what was requested. */
export class DemoError extends CodedError {
  readonly code = 'demo_failed'
  override readonly retryable = true
}
