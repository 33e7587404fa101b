import type { RunContext } from '../../chain/ports.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { ChainStates, StateView } from '../ports.ts'
import { StateMismatchError } from '../sources/errors.ts'

/** The state after a batch, opened once somebody needs it: most blocks of a quiet network touch nothing that is looked at. */
export class BatchView {
  private readonly states: ChainStates
  private readonly last: DecodedUnit
  private readonly signal: AbortSignal
  private view: Promise<StateView> | undefined
  private context: Promise<RunContext> | undefined

  constructor(states: ChainStates, last: DecodedUnit, signal: AbortSignal) {
    this.states = states
    this.last = last
    this.signal = signal
  }

  open(): Promise<StateView> {
    this.view ??= this.openAnew()
    return this.view
  }

  getContext(): Promise<RunContext> {
    this.context ??= this.open().then((view) => view.getContext())
    return this.context
  }

  private async openAnew(): Promise<StateView> {
    const { seqno, rootHash } = this.last
    const view = await this.states.openAt(seqno, this.signal)
    if (bytesEqual(view.block.rootHash, rootHash)) return view
    this.states.forget()
    const came = toHex(view.block.rootHash)
    throw new StateMismatchError(
      `States after masterchain block ${seqno} with the root hash ${toHex(rootHash)} were expected, ${came} came.`,
    )
  }
}
