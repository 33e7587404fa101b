import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeConfigParam } from '../../../test/support/decodeConfigParam.ts'
import { readLocalnetZeroStates } from '../../../test/support/localnetStore.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { AugDict } from '../../codec/cell/AugDict.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { openOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ZeroState } from '../store/ChainStore.ts'
import {
  buildAccounts,
  buildMcStateExtra,
  buildZeroState,
  collectLibraries,
  createConfigContract,
  createElector,
  createGenesis,
} from './createGenesis.ts'
import type { GenesisAccount, GenesisOptions } from './GenesisOptions.ts'

const open = ({ root }: ZeroState): ShardStateUnsplit => {
  const state = openShardState(root)
  assert.equal(state.kind, 'unsplit')
  return state as ShardStateUnsplit
}

const listAccounts = ({ accounts }: ShardStateUnsplit): GenesisAccount[] =>
  openShardAccounts(accounts)
    .entries()
    .map(([hash, { account: cell }]) => {
      const account = openAccount(cell)
      if (account.kind === 'none' || account.state.kind !== 'active') throw new Error('All of them are active.')
      return { address: { workchain: -1, hash }, balance: account.balance, init: account.state.init }
    })

/** The recorded first states, and the options that ours come nearest to them with. */
const readRecorded = () => {
  const [master, base] = readLocalnetZeroStates() as [ZeroState, ZeroState]
  const state = open(master)
  const accounts = listAccounts(state)
  const find = (start: string) => accounts.find(({ address }) => toHex(address.hash).startsWith(start))!
  const [elector, config] = [find('3333'), find('5555')]
  const extra = openMcStateExtra(state.custom!)
  const r = openCell(config.init!.data!)
  r.skipBits(32)
  const options: GenesisOptions = {
    globalId: state.globalId,
    utime: state.genUtime,
    validatorKey: findConfigParam(extra.config.config, 34)!.list.find(0)!.publicKey,
    configKey: r.readBytes(32),
    minSplit: 1,
    maxSplit: 1,
    configCode: config.init!.code!,
    electorCode: elector.init!.code!,
    accounts: accounts.filter((account) => account !== elector && account !== config),
  }
  return { master, base, state, extra, options }
}

test('the first state of an empty basechain is the recorded one, to the byte', () => {
  const { base, options } = readRecorded()
  const [, ours] = createGenesis(options).zeroStates
  assert.deepEqual(ours!.bytes, base.bytes)
})

test('with the recorded configuration the first state of the masterchain is the recorded one, to the byte', () => {
  const { master, state, extra, options } = readRecorded()
  const { globalId, utime, validatorKey, configKey, configCode, electorCode } = options
  const accounts = [
    createConfigContract(configCode, extra.config.config.root as Cell, configKey!),
    createElector(electorCode),
    ...options.accounts,
  ]
  const { config, globalBalance } = extra
  const custom = buildMcStateExtra({ config: config.config, validatorKey, globalBalance })
  const first = {
    globalId,
    utime,
    workchain: -1,
    accounts: buildAccounts(accounts),
    libraries: collectLibraries(accounts),
  }
  assert.deepEqual(buildZeroState({ ...first, custom: state.custom }).bytes, master.bytes)
  // Of what is kept besides, only the checksum of the validators differs: the recorded one weighs 17.
  const ours = openMcStateExtra(custom)
  assert.deepEqual(toPlain({ ...ours, history: 0 }), toPlain({ ...extra, history: 0 }))
  const [history, recorded] = [ours, extra].map((each) => openMcStateHistory(each.history))
  const { validatorListHashShort } = recorded!.validatorInfo
  const validatorInfo = { ...history!.validatorInfo, validatorListHashShort }
  assert.deepEqual(toPlain({ ...history!, validatorInfo }), toPlain(recorded))
})

/** The fields of a value, each with what kind of value it has; a dictionary by its first entry. */
const shapeOf = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (value instanceof Cell) return 'cell'
  if (value instanceof Dict || value instanceof AugDict)
    return value.isEmpty ? 'empty' : [shapeOf(value.entries()[0]![1])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shapeOf(field)]))
}

const shapeOfState = (zeroState: ZeroState): unknown => {
  const state = open(zeroState)
  const accounts = openShardAccounts(state.accounts)
  const extra = state.custom === undefined ? undefined : openMcStateExtra(state.custom)
  const contracts = ['33', '55'].map((byte) => {
    const found = accounts.find(Buffer.from(byte.repeat(32), 'hex'))
    return found === undefined ? undefined : { ...found, account: openAccount(found.account) }
  })
  return shapeOf({
    state,
    queue: openOutMsgQueueInfo(state.outMsgQueueInfo),
    totals: openStateTotals(state.totals),
    accounts,
    sum: accounts.rootExtra,
    contracts,
    extra,
    history: extra === undefined ? undefined : openMcStateHistory(extra.history),
  })
}

test('states have the fields of the recorded ones', () => {
  const { master, base, options } = readRecorded()
  const genesis = createGenesis(options)
  assert.deepEqual(genesis.zeroStates.map(shapeOfState), [master, base].map(shapeOfState))
})

const shapesOfParams = (zeroState: ZeroState): Map<number, unknown> => {
  const { config } = openMcStateExtra(open(zeroState).custom!).config
  return new Map(config.entries().map(([id, cell]) => [id, shapeOf({ ...decodeConfigParam(id, cell) })]))
}

test('parameters have the fields of the recorded ones', () => {
  const { master, options } = readRecorded()
  const recorded = shapesOfParams(master)
  const ours = shapesOfParams(createGenesis(options).zeroStates[0]!)
  const missing = [...recorded.keys()].filter((id) => !ours.has(id))
  const added = [...ours.keys()].filter((id) => !recorded.has(id))
  // The new consensus, which is not used here; burned fees, the network's id and the limits of sizes, which the main network states.
  assert.deepEqual({ missing, added }, { missing: [30], added: [5, 19, 43] })
  const different = [...ours].filter(([id, shape]) => {
    const other = recorded.get(id)
    return other !== undefined && JSON.stringify(other) !== JSON.stringify(shape)
  })
  // Nothing is minted from the start, and the validator has an ADNL address.
  assert.deepEqual(
    different.map(([id]) => id),
    [7, 34],
  )
})
