import type { Address } from '../../primitives/Address.ts'
import { listNumberedAddresses } from '../methods/addressDict.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

/** A wallet of several owners, of the second version. */
export type Multisig = {
  /** -1 where orders may have any number. */
  readonly nextOrderSeqno: bigint
  readonly threshold: number
  /** In the order of their numbers. */
  readonly signers: readonly Address[]
  readonly proposers: readonly Address[]
}

export const findMultisig = async (run: RunMethod, address: Address): Promise<Multisig | undefined> => {
  const result = await run(address, 'get_multisig_data', [])
  return findReadable(() => readMultisigData(result))
}

const readMultisigData = (result: MethodResult): Multisig => {
  const r = new ResultReader(result)
  return {
    nextOrderSeqno: r.readInt(),
    threshold: r.readInt32(),
    signers: listNumberedAddresses(r.readMaybeCell()),
    proposers: listNumberedAddresses(r.readMaybeCell()),
  }
}
