import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { readVmStack, type VmStack } from '../../codec/tlb/VmStack.ts'
import { REQUEST_VM_STACK_LIMITS, VmStackLimitError, type VmValue } from '../../codec/tlb/VmValue.ts'
import { CodedError } from '../../primitives/errors.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'

const MAX_BYTES = 65535

/** The arguments of a get-method. No bytes at all stand for none. */
export const readMethodParams = (bytes: Uint8Array): VmStack => {
  if (bytes.length > MAX_BYTES) throw new LiteRefusal(REQUEST_ERROR, 'more than 64k parameter bytes passed')
  if (bytes.length === 0) return []
  const stack = readStack(decodeParams(bytes))
  if (stack.some(holdsContinuation)) throw notStack()
  return stack
}

const decodeParams = (bytes: Uint8Array): Cell => {
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new LiteRefusal(REQUEST_ERROR, `cannot deserialize parameter list boc: ${error.message}`)
  }
}

const readStack = (root: Cell): VmStack => {
  try {
    return readWhole(root, (r) => readVmStack(r, REQUEST_VM_STACK_LIMITS), 'A stack')
  } catch (error) {
    if (error instanceof VmStackLimitError) {
      throw new LiteRefusal(REQUEST_ERROR, `error deserializing parameter list: ${error.message}`)
    }
    if (error instanceof CodedError) throw notStack()
    throw error
  }
}

const notStack = (): LiteRefusal =>
  new LiteRefusal(REQUEST_ERROR, 'parameter list boc cannot be deserialized as a VmStack')

/** Code is not taken from outside. The depth of tuples is bounded by the limits they were read with. */
const holdsContinuation = (value: VmValue): boolean =>
  value.kind === 'continuation' || (value.kind === 'tuple' && value.items.some(holdsContinuation))
