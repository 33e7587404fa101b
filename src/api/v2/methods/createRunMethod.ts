import { getMethodId } from '../../../codec/tlb/VmValue.ts'
import type { RunMethod } from '../../../contracts/getMethods.ts'
import { type Address, formatRawAddress } from '../../../primitives/Address.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { type AccountReading, toAccountReading } from '../readAccount.ts'
import type { V2NodeContext } from '../V2Context.ts'
import { runAccountMethod } from './runAccountMethod.ts'

/** How a run ends that leaves more than can be handed back: as if it had gone on for ever. */
const OUT_OF_GAS = -14

/** Runs get-methods of any contracts as they were after one masterchain block. Each contract is read once. */
export const createRunMethod = (context: V2NodeContext, block: BlockIdExt): RunMethod => {
  const accounts = new Map<string, Promise<AccountReading>>()
  const read = (address: Address): Promise<AccountReading> => {
    const key = formatRawAddress(address)
    const known = accounts.get(key)
    if (known !== undefined) return known
    const reading = context.node.getAccountState(address, block).then(toAccountReading)
    accounts.set(key, reading)
    return reading
  }
  return async (address, method, stack) => {
    const account = await read(address)
    try {
      return await runAccountMethod(context, address, account, getMethodId(method), stack)
    } catch (error) {
      if (error instanceof CodedError && error.code === 'vm_result_too_large')
        return { exitCode: OUT_OF_GAS, stack: [] }
      throw error
    }
  }
}
