import type { ContractState, MethodRun } from '../../../chain/ports.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import { getMethodId } from '../../../codec/tlb/VmValue.ts'
import type { RunMethod } from '../../../contracts/getMethods.ts'
import { type Address, formatRawAddress } from '../../../primitives/Address.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { deriveOnce } from '../../../primitives/deriveOnce.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { type AccountReading, toAccountReading } from '../readAccount.ts'
import type { V2NodeContext } from '../v2Endpoint.ts'

/** Exit code of an account without code. */
const NO_CODE = -13

/** Runs a get-method of an account. Without code, the stack is the arguments with the method id on top. */
export const runAccountMethod = async (
  { methods, node, call }: V2NodeContext,
  address: Address,
  account: AccountParts,
  methodId: number,
  stack: VmStack,
): Promise<Pick<MethodRun, 'exitCode' | 'gasUsed' | 'stack'>> => {
  const { code } = account
  if (code === undefined) {
    return { exitCode: NO_CODE, gasUsed: 0, stack: [...stack, { kind: 'int', value: BigInt(methodId) }] }
  }
  const contract = contractOf(account, address, code)
  return methods.run(node, { contract, now: account.genUtime, methodId, stack }, call)
}

type AccountParts = Pick<AccountReading, 'code' | 'data' | 'balance' | 'genUtime'>

/** The contract of an account that has code; the same object for all who call it. */
const contractOf = deriveOnce(
  ({ data = emptyCell, balance }: AccountParts, address: Address, code: Cell): ContractState => ({
    address,
    code,
    data,
    balance,
  }),
)

/** Exit code of a run whose result is too large. */
const OUT_OF_GAS = -14

/** Returns a function that runs get-methods of any contract as of one masterchain block. Each contract is read once. */
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
