import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import type { RunObserver, Vm } from '../../src/tvm/machine/Vm.ts'
import { type VmRequest, VmRequests } from './vmRequests.ts'

/** Looks for what another machine is known to get wrong. */
class Watch implements RunObserver {
  found: string | undefined = undefined
  private readonly isEmulator: boolean

  constructor(isEmulator: boolean) {
    this.isEmulator = isEmulator
  }

  step(vm: Vm, word: number): void {
    const top = vm.stack.at(-1)
    const isShiftedDivision = word >> 12 === 0xa9c || word >> 4 === 0xb7a9c
    if (this.isEmulator && isShiftedDivision && (typeof top === 'bigint' || Number.isNaN(top))) {
      // Its long has 32 bits, so that the mark of a number that does not fit 64 becomes zero.
      this.found = 'LSHIFT…DIV and LSHIFT…MOD take a shift that is NaN or beyond 64 bits for 0'
    }
  }

  fault(): void {}
}

/** The account that the configuration of generated transactions lists as special. */
const SPECIAL_ADDRESS = `-1:${'22'.repeat(32)}`

/** Why a difference is an error of the other machine; `undefined` where it is not known to be one. */
export const findKnownError = (oracle: string, request: VmRequest): string | undefined => {
  if (request.kind === 'transaction') {
    const isSpecial = oracle !== 'emulator' && request.address === SPECIAL_ADDRESS && request.message !== undefined
    return isSpecial && isExternal(request.message!)
      ? 'an external message to a special account is given a gas limit of 0 in the compute phase'
      : undefined
  }
  const watch = new Watch(oracle === 'emulator')
  new VmRequests(watch).run(request)
  return watch.found
}

const isExternal = (message: string): boolean =>
  openCell(decodeSingleBoc(Buffer.from(message, 'base64'))).readUint(2) === 2
