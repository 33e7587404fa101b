import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { type StateInit, simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { decodeVmStack } from '../../src/codec/tlb/VmStack.ts'
import { getMethodId } from '../../src/codec/tlb/VmValue.ts'
import { compiledCode, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { jettonMinterInit, jettonTransferBody } from '../../src/devnet/contracts/jettonContracts.ts'
import { getAccountState } from '../../src/devnet/liteserver/accounts.ts'
import { formatGlobalConfig } from '../../src/devnet/replay/formatGlobalConfig.ts'
import { LiteClient } from '../../src/node/LiteClient.ts'
import { toLogValue } from '../../src/observe/Logger.ts'
import { type Address, formatRawAddress, parseAddress } from '../../src/primitives/Address.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { formatLiteServer, type LiteServerAddress, parseLiteServer } from '../../src/primitives/LiteServerAddress.ts'
import { checkChain } from '../support/chainRules/checkChain.ts'
import { effectOf, forkNetwork, hashOf, listenNetwork, serveChain, transactionsOf } from '../support/forkNetwork.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { balanceNow, closeSharedMachine, coins, findAccountNow, startTestNetwork } from '../support/testNetwork.ts'
import { libraryReference } from '../support/vmSamples.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

const GRAM = 1_000_000_000n
const walletA = parseAddress('0:1320beaaaa0078704ac69bf1e54efbc6f5add372571aa1c704b7b07326f9f51f')
const walletC = parseAddress('0:8d40d1bc04aa6b9c2bf4dcb31b9443d24365844783f92053c88b707e4ddc68c2')
const walletD = parseAddress('0:7666d267f3cc1b969a0118a1ce6a2348c0cef3d27f0951bcf1c6814158d38611')
const minter = parseAddress('0:94e67f3d162be8dff67645b5361f4f6e97059974bf78aa9048aa8ec3e9c99785')
const jettonOfA = parseAddress('0:cbdab118dfa1e7bc40822eb1c0d45ae3911cfc5506a25cfa8fbe5e63660e3a2c')
const jettonOfB = parseAddress('0:3b855ee08a8f8341d1aff37828c11bce94e6a9c861e15620b6e5716bc65d33f1')
const absent = { workchain: 0, hash: new Uint8Array(32).fill(0xab) }

/** Runs a get-method on a liteserver at a block, by default the newest, and once more if the account had to be imported first. */
const callMethod = async (server: LiteServerAddress, { workchain, hash }: Address, method: string, at?: BlockIdExt) => {
  const client = new LiteClient(server)
  try {
    for (let tries = 0; ; tries++) {
      const last = at ?? (await client.query('liteServer.getMasterchainInfo', {})).last
      const account = { workchain, id: hash }
      const request = { mode: 4, id: last, account, methodId: BigInt(getMethodId(method)), params: new Uint8Array() }
      try {
        const { exitCode, result } = await client.query('liteServer.runSmcMethod', request)
        return { exitCode, stack: decodeVmStack(result!) }
      } catch (error) {
        assert.match(String(error), /of the forked network is in the state from masterchain block/)
        assert.equal(tries, 0)
      }
    }
  } finally {
    client.close()
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(toLogValue(value)))

test('get-methods, a transfer and an impersonated holder on a fork of the recorded network', async (t) => {
  const store = await loadLocalnetStore()
  const original = transactionsOf({ store }, walletA.hash, 42).find(({ inMsg }) => inMsg !== undefined)!
  const { name } = await serveChain(t, store)
  const network = await forkNetwork(t, { name, block: 41 }, { startTime: original.now })
  const { controls } = network
  const from = controls.getStatus().head.seqno

  const server = await listenNetwork(t, network)
  const forkBlock = store.findMaster(41)!.id
  for (const [account, method] of [
    [minter, 'get_jetton_data'],
    [jettonOfA, 'get_wallet_data'],
    [walletA, 'seqno'],
    [absent, 'seqno'],
  ] as const) {
    const head = controls.getStatus().head.seqno
    const here = await callMethod(server, account, method)
    assert.deepEqual(plain(here), plain(await callMethod(parseLiteServer(name), account, method, forkBlock)))
    // An account that is read for the first time takes a block of its own.
    assert.equal(controls.getStatus().head.seqno, account === absent ? head : head + 1)
    assert.deepEqual(await callMethod(server, account, method), here)
  }

  await controls.send(original.inMsg!)
  await controls.mine(1)
  const [sent] = transactionsOf(network, walletA.hash, from)
  assert.deepEqual(effectOf(sent!), effectOf(original))
  assert.deepEqual([sent!.prevTransLt, sent!.prevTransHash], [original.prevTransLt, original.prevTransHash])
  for (const account of [jettonOfA, jettonOfB]) {
    const [there] = transactionsOf({ store }, account.hash, 42)
    const [here] = transactionsOf(network, account.hash, from)
    // Storage is paid up to another second.
    assert.deepEqual({ ...effectOf(here!), fees: 0n }, { ...effectOf(there!), fees: 0n })
  }

  const before = balanceNow(network, walletC)
  await controls.impersonate({
    source: walletA,
    destination: jettonOfA,
    value: coins(GRAM / 2n),
    bounce: true,
    stateInit: undefined,
    body: jettonTransferBody({
      queryId: 5n,
      amount: 7n,
      destination: walletC,
      responseDestination: walletA,
      forwardAmount: 1n,
      forwardPayload: undefined,
    }),
  })
  assert.ok(balanceNow(network, walletC) > before, 'the owner of the jettons is told of them')

  const { id } = await controls.snapshot()
  await controls.setAccount({ address: walletD, balance: coins(5n), state: undefined })
  assert.equal(balanceNow(network, walletD), 5n)
  await controls.revert(id)
  assert.equal(findAccountNow(network, walletD), undefined)
  await controls.faucet(walletD, GRAM)
  await controls.mine(1)
  assert.ok(balanceNow(network, walletD) > GRAM, 'what the forked account had, and the coins of the faucet')

  const { violations } = await checkChain(network.store, { allowDevControls: true })
  // The first states have the logical time of the fork block, and the first block is a key block as in every embedded network.
  const unexpected = violations.filter((text) => !/gen_lt of a first state|,1\), feesInRef of shard/.test(text))
  assert.deepEqual(unexpected, [])
  // The account of a transaction was in the state before its block, so the transaction can be run again.
  assert.match(await controls.getTransactionLog(hashOf(network, walletA.hash, from)), /execute/)
})

test('a fork goes on offline; messages to accounts that are not fetched yet wait for the network', async (t) => {
  const store = await loadLocalnetStore()
  const folder = tempFolder(t)
  let server = await serveChain(t, store)
  const first = await forkNetwork(t, { name: server.name }, { folder })
  await first.controls.faucet(walletA, GRAM)
  await first.controls.mine(1)
  const balance = balanceNow(first, walletA)
  assert.ok(balance > GRAM)
  await first.close()
  await server.close()

  const second = await forkNetwork(t, undefined, { folder })
  assert.equal(balanceNow(second, walletA), balance)
  await second.controls.faucet(walletA, GRAM)
  await second.controls.faucet(walletC, GRAM)
  await second.controls.mine(3)
  assert.equal(balanceNow(second, walletA) >= balance, true)
  assert.equal(findAccountNow(second, walletC), undefined)
  const held = second.logLines.filter((line) => line.includes('message delayed'))
  assert.equal(held.length, 1)
  assert.ok(held[0]!.includes(formatRawAddress(walletC)))
  await assert.rejects(second.controls.setAccount({ address: walletD, balance: coins(5n), state: undefined }), {
    code: 'fork_unavailable',
  })

  server = await serveChain(t, store, parseLiteServer(server.name).port)
  await waitUntil(
    'the message to be delivered',
    async () => {
      await second.controls.mine(1)
      return balanceNow(second, walletC) > GRAM
    },
    { timeoutMs: 20_000, pollMs: 500 },
  )
  await second.close()
  await assert.rejects(forkNetwork(t, { name: 'main' }, { folder }), {
    code: 'dev_folder_mismatch',
    message: /is a fork of 127/,
  })
  await assert.rejects(
    forkNetwork(t, { name: server.name, block: 3 }, { folder }),
    /was forked at block 400, not at block 3/,
  )
})

test('a lying server is refused: another one is asked, and without one the fork fails', async (t) => {
  const store = await loadLocalnetStore()
  const lie: typeof getAccountState = async (context, args) => {
    const answer = await getAccountState(context, args)
    if (answer.state.length === 0) return answer
    const other = await getAccountState(context, { ...args, account: { workchain: 0, id: walletC.hash } })
    return { ...answer, state: other.state }
  }
  const liar = await serveChain(t, store, 0, { 'liteServer.getAccountState': lie })
  await assert.rejects(forkNetwork(t, { name: liar.name }), (error) => {
    assert.match(String(error), /^ForkUnavailableError: Cannot fetch account -1:0+ .*differs from the proven one/)
    return true
  })
  const honest = await serveChain(t, store)
  const path = join(tempFolder(t), 'global.config.json')
  const [one, two] = [liar, honest].map((server) => formatGlobalConfig(parseLiteServer(server.name), store.zeroState))
  const second = JSON.stringify(JSON.parse(two!).liteservers[0])
  writeFileSync(path, one!.replace('"liteservers": [', `"liteservers": [${second},`))
  const network = await forkNetwork(t, { name: path })
  await network.controls.setAccount({ address: walletA, balance: coins(5n), state: undefined })
  assert.equal(findAccountNow(network, walletA)?.state.kind, 'active')
})

test('a library of the forked network is fetched when a contract first uses it', async (t) => {
  const original = await startTestNetwork(t)
  const code = compiledCode('jettonMinter')
  const { data } = jettonMinterInit(walletA, emptyCell)
  const library = Dict.of(simpleLibsType, [[code.hash(), { isPublic: true, root: code }]]).root as Cell
  const place = (address: Address, init: StateInit) =>
    original.controls.setAccount({ address, balance: coins(GRAM), state: { kind: 'active', init } })
  await place({ workchain: -1, hash: new Uint8Array(32).fill(1) }, { ...contractInit(emptyCell, emptyCell), library })
  await place(minter, contractInit(libraryReference(code.hash()), data!))
  const there = await listenNetwork(t, original)

  const network = await forkNetwork(t, { name: formatLiteServer(there) }, { seed: 'chaincenter' })
  const here = await listenNetwork(t, network)
  const expected = await callMethod(there, minter, 'get_jetton_data')
  assert.equal(expected.exitCode, 0)
  assert.deepEqual(plain(await callMethod(here, minter, 'get_jetton_data')), plain(expected))
  assert.equal(network.logLines.filter((line) => line.includes('library fetched')).length, 1)
  const alice = network.accounts[0]!.wallet.address
  assert.equal(balanceNow(network, alice), balanceNow(original, alice))
  const from = network.controls.getStatus().head.seqno
  const message = { source: alice, destination: minter, value: coins(GRAM), bounce: false, stateInit: undefined }
  for (const { controls } of [network, original]) await controls.impersonate({ ...message, body: emptyCell })
  const [ran] = transactionsOf(network, minter.hash, from)
  const [ranThere] = transactionsOf(original, minter.hash, 1)
  assert.deepEqual({ ...effectOf(ran!), fees: 0n }, { ...effectOf(ranThere!), fees: 0n })
  assert.ok(effectOf(ran!).gas! > 0n)
})
