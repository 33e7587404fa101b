import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { address, amount } from './sampleMessages.ts'
import type { V2NetworkService } from './v2Service.ts'
import { codeOf } from './vmSamples.ts'

export type PlacedContract = {
  /** In hexadecimal digits, or as a cell. */
  readonly code: string | Cell
  readonly data?: Cell
  readonly balance?: bigint
}

/** Puts a contract onto the network, at an address of its own: its number. The service has seen it when this is done. */
export const placeContract = async (
  { network, catchUp }: V2NetworkService,
  number: number,
  { code, data = emptyCell, balance = 1_000_000_000n }: PlacedContract,
): Promise<string> => {
  const at = address(0, number)
  const init = contractInit(typeof code === 'string' ? codeOf(code) : code, data)
  await network.controls.setAccount({ address: at, balance: amount(balance), state: { kind: 'active', init } })
  await catchUp()
  return formatRawAddress(at)
}
