import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { type ConfigDict, configDictType, findConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import type { ForkSource } from '../../src/devnet/fork/ForkSource.ts'
import { viewFromHead } from '../../src/devnet/network/headContext.ts'
import { masterchain } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { checkChain } from '../support/chainRules/checkChain.ts'
import { haveFixtures, readFixture } from '../support/fixtures.ts'
import { balanceNow, closeSharedMachine, startTestNetwork } from '../support/testNetwork.ts'

after(closeSharedMachine)

const folder = 'mainnet/configs'
const hash = new Uint8Array(32).fill(9)
const block = { workchain: masterchain, shard: wholeShard, seqno: 70_000_000, rootHash: hash, fileHash: hash }
const endLt = 60_000_000_000_001n
/** Those that `docs/fork.md` lists. */
const CHANGED = new Set([0, 1, 3, 7, 8, 12, 28, 30, 31, 32, 33, 34, 35, 36, 37, -999])

/** A network of which only the configuration is recorded: it has no accounts. */
const emptySource = (config: ConfigDict): ForkSource => ({
  getPoint: async () => ({ block, utime: 1_786_000_000, endLt, globalId: findConfigParam(config, 19)! }),
  getConfig: async () => config,
  findAccount: async () => undefined,
  findLibrary: async () => undefined,
})

for (const file of [
  'mainnet/config_20260809_3ba5180b.boc',
  'mainnet/config_20241004_666f7640.boc',
  'testnet/config_20260808_662a7c1d.boc',
]) {
  test(`blocks are made with the configuration ${file}`, async (t) => {
    if (!haveFixtures(t, folder)) return
    const config = new Dict(configDictType, decodeSingleBoc(readFixture(`${folder}/${file}`)))
    const source = emptySource(config)
    const fork = { name: 'recorded' }
    const network = await startTestNetwork(t, { startTime: undefined, fork, openForkSource: async () => source })
    const [alice, bob] = network.accounts.map(({ wallet }) => wallet.address)
    const before = balanceNow(network, bob!)
    await network.controls.faucet(bob!, 5n)
    await network.controls.mine(2)
    assert.ok(balanceNow(network, bob!) > before - 1_000_000n)
    assert.ok(balanceNow(network, alice!) > 0n)
    assert.ok(network.store.head!.startLt > endLt)
    const { params } = viewFromHead(network.store)
    for (const [id, cell] of config.entries()) {
      if (!CHANGED.has(id)) assert.equal(toHex(params.find(id)!.hash()), toHex(cell.hash()), `parameter ${id}`)
    }
    assert.equal(findConfigParam(params, 8)?.version, Math.max(findConfigParam(config, 8)!.version, 12))
    const { violations } = await checkChain(network.store, { allowDevControls: true })
    // By older rules two blocks have different times; ours may be made within a second.
    const isExpected = /gen_lt of a first state|,1\), feesInRef of shard|gen_utime: \d+ or later/
    assert.deepEqual(
      violations.filter((text) => !isExpected.test(text)),
      [],
    )
  })
}
