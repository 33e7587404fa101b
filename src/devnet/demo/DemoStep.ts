import type { Cell } from '../../codec/cell/Cell.ts'
import type { Address } from '../../primitives/Address.ts'
import type { OutgoingMessage } from '../contracts/outgoingMessage.ts'
import type { Random } from './createRandom.ts'
import type { DemoPort } from './DemoPort.ts'
import type { OrderSender } from './OrderSender.ts'
import type { DemoPlan } from './planDemo.ts'

export type DemoStage = {
  readonly port: DemoPort
  readonly sender: OrderSender
  readonly plan: DemoPlan
  readonly random: Random
}

/** Something that happens now and then. It answers `false` where it cannot happen at present. */
export type DemoStep = {
  readonly name: string
  /** How often, compared to the others. */
  readonly weight: number
  run(stage: DemoStage): Promise<boolean>
}

/** What pays for a request and comes back for the most part. */
const REQUEST_VALUE = 200_000_000n

/** A request to a contract. */
export const request = (destination: Address, body: Cell): OutgoingMessage => ({
  destination,
  value: REQUEST_VALUE,
  bounce: true,
  body,
})
