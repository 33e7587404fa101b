import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../src/codec/tlb/Account.ts'
import { configDictType, encodeConfigParam, findConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { readShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { OUT_OF_GAS_EXIT } from '../../src/tvm/machine/faults.ts'
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
    if (this.isEmulator && vm.version === 13 && word >> 8 === 0xb7ae) {
      // It was built before the rules of version 13 were complete.
      this.found = 'QPOW2 in version 13 fails for an exponent out of range'
    }
    const isChild = word >> 12 === 0xdb4 || word >> 8 === 0xdb50
    if (!this.isEmulator && vm.version < 11 && isChild) {
      // There the reference pushes a cell that is none; we push null.
      this.found = 'RUNVM below version 11 returns the data of a run that did not commit'
    }
    const isShiftedDivision = word >> 12 === 0xa9c || word >> 4 === 0xb7a9c
    if (this.isEmulator && isShiftedDivision && (typeof top === 'bigint' || Number.isNaN(top))) {
      // Its long has 32 bits, so that the mark of a number that does not fit 64 becomes zero.
      this.found = 'LSHIFT…DIV and LSHIFT…MOD take a shift that is NaN or beyond 64 bits for 0'
    }
  }

  fault(): void {}
}

/** The account that the configuration of generated transactions lists as special. */
export const SPECIAL_ADDRESS = `-1:${'22'.repeat(32)}`

/**
 * Why a difference is an error of the other machine; `undefined` where it is not known to be one. `isTheirs` says whether our machine
 * answers a changed request as the other one answered.
 */
export const findKnownError = (
  oracle: string,
  request: VmRequest,
  isTheirs: (changed: VmRequest) => boolean,
): string | undefined => {
  if (request.kind === 'transaction') {
    const plain = olderConfig(request.config!)
    if (oracle !== 'emulator' && plain !== request.config && isTheirs({ ...request, config: plain })) {
      return 'it has no limit for the messages of a transaction together'
    }
    if (request.address !== SPECIAL_ADDRESS) return undefined
    if (oracle === 'emulator') {
      return isNoAccount(request.account!) ? 'a special account that is new is not special yet' : undefined
    }
    return request.message !== undefined && isExternal(request.message)
      ? 'an external message to a special account is given a gas limit of 0 in the compute phase'
      : undefined
  }
  const watch = new Watch(oracle === 'emulator')
  const { exitCode } = new VmRequests(watch).run(request)
  // A value that is wrong does not explain another use of gas.
  return oracle !== 'emulator' && exitCode === OUT_OF_GAS_EXIT ? undefined : watch.found
}

/** A configuration without limits for the messages of a transaction together, by the rules of another version where one is given. */
export const olderConfig = (config: string, version?: number): string => {
  let dict = new Dict(configDictType, decodeSingleBoc(Buffer.from(config, 'base64')))
  const limits = findConfigParam(dict, 43)
  if (limits?.extension?.totalMsg !== undefined) {
    const plain = { ...limits, extension: { ...limits.extension, totalMsg: undefined } }
    dict = dict.set(43, encodeConfigParam(43, plain))
  } else if (version === undefined) return config
  if (version !== undefined) dict = dict.set(8, encodeConfigParam(8, { version, capabilities: 494n }))
  return Buffer.from(encodeBoc([dict.root as Cell])).toString('base64')
}

const isExternal = (message: string): boolean =>
  openCell(decodeSingleBoc(Buffer.from(message, 'base64'))).readUint(2) === 2

const isNoAccount = (account: string): boolean =>
  readWhole(decodeSingleBoc(Buffer.from(account, 'base64')), readShardAccount, 'A ShardAccount').account.hasHash(
    accountNoneCell.hash(),
  )
