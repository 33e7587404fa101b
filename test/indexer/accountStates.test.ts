import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { openLocalStates } from '../../src/cli/index/openChain.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../src/codec/tlb/ShardState.ts'
import { topsOf } from '../../src/devnet/store/applyBlock.ts'
import type { StateFolder } from '../../src/devnet/store/openStateFolder.ts'
import type { DecodedBlockSet } from '../../src/indexer/blockSets.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import type { ResolvedAccount } from '../../src/indexer/IndexBatch.ts'
import type { AccountResolver, BlockSetSource, ChainStates } from '../../src/indexer/ports.ts'
import { createLiveStates, createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { StateMismatchError, StatesMissingError } from '../../src/indexer/sources/checkRawBlock.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { createBlocksOnlyResolver, createStateResolver } from '../../src/indexer/sources/resolveAccounts.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { childArguments, childScript } from '../support/childScript.ts'
import { fixturePath, haveFixtures } from '../support/fixtures.ts'
import { localnetPackages, openLocalnetNode, openPackages } from '../support/localnetSources.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { isLong } from '../support/testLength.ts'

const { signal } = new AbortController()
const ZERO_STATES = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))

type Kept = { readonly blockSets: BlockSetSource; readonly folder: StateFolder; readonly states: ChainStates }

const openKept = async (
  t: TestContext,
  path: string,
  { stateFiles = ZERO_STATES, every = 50 }: { readonly stateFiles?: readonly string[]; readonly every?: number } = {},
): Promise<Kept> => {
  const source = openPackages()
  const blockSets = createBlockSetSource(source)
  const folder = await openLocalStates(path, { stateFiles, source, blockSets, checkpointEvery: every, sync: false })
  t.after(() => folder.close())
  return { blockSets, folder, states: createLocalStates(folder) }
}

const openLive = async (
  t: TestContext,
): Promise<{ readonly blockSets: BlockSetSource; readonly states: ChainStates }> => {
  const node = await openLocalnetNode(t)
  const blockSets = createBlockSetSource(node)
  return { blockSets, states: createLiveStates(createLiveChain(node), blockSets) }
}

const decode = async (blockSets: BlockSetSource, first: number, last: number): Promise<DecodedBlockSet[]> => {
  const decoded: DecodedBlockSet[] = []
  for (let seqno = first; seqno <= last; seqno++)
    decoded.push(decodeBlockSet(await blockSets.fetchBlockSet(seqno, signal)))
  return decoded
}

const show = (part: Cell | undefined | 'unknown'): string | undefined =>
  part === undefined || part === 'unknown' ? part : toHex(part.hash())

const showAll = (resolved: readonly ResolvedAccount[]) =>
  resolved.map(({ account, lastLt, code, data, extraCurrencies }) => [
    toHex(account),
    lastLt,
    show(code),
    show(data),
    extraCurrencies,
  ])

const resolve = (states: ChainStates, blockSets: readonly DecodedBlockSet[]) =>
  createStateResolver(states).resolve(blockSets, signal)

const BATCHES = [
  [1, 1],
  [2, 20],
  [21, 59],
  [60, 70],
  [71, 103],
  [104, 250],
  [251, 396],
  [397, 400],
] as const

test('accounts resolved from a liteserver and from states of our own are the same', async (t) => {
  const kept = await openKept(t, tempFolder(t))
  const live = await openLive(t)
  let contracts = 0
  for (const [first, last] of BATCHES) {
    const blockSets = await decode(kept.blockSets, first, last)
    const own = await resolve(kept.states, blockSets)
    assert.deepEqual(showAll(own), showAll(await resolve(live.states, blockSets)))
    const touched = new Map(blockSets.flatMap(({ accounts }) => accounts.map((each) => [toHex(each.account), each])))
    assert.equal(own.length, touched.size)
    for (const { account, lastLt, code, data } of own) {
      const { codeHash, dataHash, lastLt: expectedLt } = touched.get(toHex(account))!
      assert.equal(lastLt, expectedLt)
      assert.equal(show(code), codeHash && toHex(codeHash))
      assert.equal(show(data), dataHash && toHex(dataHash))
      if (code !== undefined) contracts++
    }
  }
  assert.equal(contracts, 57)
})

test('what surrounds get-methods, and accounts that were not touched, are the same from both', async (t) => {
  const kept = await openKept(t, tempFolder(t))
  const live = await openLive(t)
  const store = await loadLocalnetStore()
  for (const seqno of [1, 66, 120, 400]) {
    const own = await kept.states.openAt(seqno, signal)
    const other = await live.states.openAt(seqno, signal)
    assert.equal(formatBlockIdExt(own.block), formatBlockIdExt(other.block))
    const [a, b] = [await own.getContext(), await other.getContext()]
    assert.deepEqual(
      { ...a, config: show(a.config), findLibrary: undefined },
      { ...b, config: show(b.config), findLibrary: undefined },
    )
    assert.ok(a.randomSeed.some((byte) => byte !== 0))
    assert.equal(await a.findLibrary!(new Uint8Array(32)), undefined)
    assert.equal(await b.findLibrary!(new Uint8Array(32)), undefined)
    const state = openShardState(store.findState(own.block)!)
    assert.ok(state.kind === 'unsplit')
    const addresses: Address[] = [
      { workchain: -1, hash: new Uint8Array(32).fill(7) },
      { workchain: 5, hash: new Uint8Array(32) },
    ]
    openShardAccounts(state.accounts).forEach((hash) => void addresses.push({ workchain: -1, hash: hash.slice() }))
    for (const address of addresses) {
      assert.equal(show(await own.findAccount(address)), show(await other.findAccount(address)))
      const [one, two] = [await own.findContract(address), await other.findContract(address)]
      assert.deepEqual(
        [show(one?.code), show(one?.data), one?.balance.grams],
        [show(two?.code), show(two?.data), two?.balance.grams],
      )
    }
    assert.ok(addresses.length > 4)
  }
})

test('states are gone back to, and gone on from where they were closed', async (t) => {
  const path = tempFolder(t)
  const first = await openKept(t, path)
  const store = await loadLocalnetStore()
  const expectStates = async ({ folder }: Kept, seqno: number): Promise<void> => {
    const { id, master, shards } = await folder.openAt(seqno, signal)
    assert.equal(formatBlockIdExt(id), formatBlockIdExt(store.findMaster(seqno)!.id))
    for (const each of [{ id, state: master }, ...shards])
      assert.equal(show(each.state), show(store.findState(each.id)!))
  }
  for (const seqno of [130, 320]) await expectStates(first, seqno)
  // Downwards, as history is filled in behind the head, the head going on in between.
  for (const seqno of [250, 249, 220, 321, 110, 180, 30, 1, 325]) await expectStates(first, seqno)
  await first.folder.close()
  const left = readdirSync(join(path, 'states'))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b)
  assert.deepEqual(left, [50, 100, 150, 200, 250, 300, 325])
  const again = await openKept(t, path)
  await expectStates(again, 400)
  await expectStates(again, 299)
})

/** The states after a masterchain block as files, one each. */
const writeStateFiles = async (t: TestContext, seqno: number): Promise<string[]> => {
  const store = await loadLocalnetStore()
  const folder = tempFolder(t)
  const { id } = store.findMaster(seqno)!
  return [id, ...topsOf({ id, root: store.getRoot(id) })].map((each, k) => {
    const path = join(folder, `${k}.boc`)
    writeFileSync(path, encodeBoc([store.findState(each)!]))
    return path
  })
}

test('states can begin at a later block; what was before it is refused, and so are files that are not of it', async (t) => {
  const stateFiles = await writeStateFiles(t, 120)
  const kept = await openKept(t, tempFolder(t), { stateFiles })
  const blockSets = await decode(kept.blockSets, 115, 130)
  assert.equal(kept.folder.firstSeqno, 120)
  const whole = await openKept(t, tempFolder(t))
  for (const batch of [blockSets.slice(0, 6), blockSets])
    assert.deepEqual(showAll(await resolve(kept.states, batch)), showAll(await resolve(whole.states, batch)))
  await assert.rejects(
    kept.states.openAt(119, signal),
    (error) =>
      error instanceof StatesMissingError && !error.retryable && /from masterchain block 120 on/.test(error.message),
  )
  const torn = await openKept(t, tempFolder(t), { stateFiles: stateFiles.slice(0, -1) })
  await assert.rejects(torn.states.openAt(121, signal), /The state after block \(0,[0-9a-f]{16},\d+\) is not there/)
  await assert.rejects(openKept(t, tempFolder(t), { stateFiles: stateFiles.slice(1) }), { code: 'invalid_chain_data' })
})

test('a checkpoint that is torn, or of another block, is passed over', async (t) => {
  const path = tempFolder(t)
  const first = await openKept(t, path)
  await first.folder.openAt(210, signal)
  await first.folder.close()
  const at = (seqno: number): string => join(path, 'states', `${seqno}.boc`)
  truncateSync(at(210), 1000)
  copyFileSync(at(50), at(200))
  writeFileSync(`${at(260)}.new`, 'half of it')
  const again = await openKept(t, path)
  const store = await loadLocalnetStore()
  const { id, master } = await again.folder.openAt(220, signal)
  assert.equal(show(master), show(store.findState(id)!))
  assert.ok(!existsSync(at(210)) && !existsSync(`${at(260)}.new`))
})

test('a process that is killed while it applies blocks leaves states that another goes on from', async (t) => {
  const path = tempFolder(t)
  const packages = localnetPackages()
  const [stops, last] = isLong ? [[60, 170, 290], 400] : [[60, 130], 180]
  for (const until of stops) {
    const child = spawn(
      process.execPath,
      [
        ...childArguments,
        childScript(join(import.meta.dirname, '../support'), 'keepStatesChild'),
        packages,
        path,
        ...ZERO_STATES,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const exited = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= until) child.kill('SIGKILL')
    assert.deepEqual(await exited, [null, 'SIGKILL'])
  }
  const left = readdirSync(join(path, 'states')).filter((name) => name.endsWith('.boc'))
  assert.ok(
    left.some((name) => Number.parseInt(name, 10) >= stops.at(-1)! - 50),
    left.join(),
  )
  const kept = await openKept(t, path, { every: 20 })
  const blockSets = await decode(kept.blockSets, last - 5, last)
  const whole = await openKept(t, tempFolder(t))
  assert.deepEqual(showAll(await resolve(kept.states, blockSets)), showAll(await resolve(whole.states, blockSets)))
})

test('the main network is applied from its zero states on, and every account touched in it is found', async (t) => {
  if (!haveFixtures(t, 'mainnet/archives/mainnet')) return
  const source = openPackages(fixturePath('mainnet/archives/mainnet'))
  const blockSets = createBlockSetSource(source)
  const stateFiles = ['-1', '0'].map((name) => fixturePath(`mainnet/states/mainnet/zerostate_${name}.boc`))
  const folder = await openLocalStates(tempFolder(t), {
    stateFiles,
    source,
    blockSets,
    checkpointEvery: 10,
    sync: false,
  })
  t.after(() => folder.close())
  const states = createLocalStates(folder)
  const decoded = await decode(blockSets, 1, 99)
  assert.equal(
    decoded.reduce((sum, { blocks }) => sum + blocks.length, 0),
    99 + 200,
  )
  assert.equal(
    decoded.reduce((sum, { transactions }) => sum + transactions.count, 0),
    1087,
  )
  let accounts = 0
  for (const [first, last] of [
    [81, 99],
    [50, 80],
    [1, 49],
  ] as const) {
    const batch = decoded.slice(first - 1, last)
    accounts += (await resolve(states, batch)).length
  }
  assert.equal(accounts, 15)
})

test('a state that is not the one its transaction led to is refused', async (t) => {
  const kept = await openKept(t, tempFolder(t))
  const blockSets = await decode(kept.blockSets, 60, 61)
  let forgot = 0
  const late: ChainStates = {
    openAt: async (seqno, each) => ({
      ...(await kept.states.openAt(seqno - 5, each)),
      block: (await kept.states.openAt(seqno, each)).block,
    }),
    forget: () => void forgot++,
  }
  const refuses = (resolver: AccountResolver) =>
    assert.rejects(
      resolver.resolve(blockSets, signal),
      (error) => error instanceof StateMismatchError && error.retryable,
    )
  await refuses(createStateResolver(late))
  await refuses(
    createStateResolver({ openAt: (seqno, each) => kept.states.openAt(seqno - 1, each), forget: () => void forgot++ }),
  )
  assert.equal(forgot, 2)
  assert.equal((await createStateResolver(kept.states).resolve(blockSets, signal)).length > 0, true)
})

test('without states, code and data are unknown where the blocks show that they are there', async () => {
  const blockSets = await decode(createBlockSetSource(openPackages()), 20, 30)
  const resolved = await createBlocksOnlyResolver().resolve(blockSets, signal)
  const touched = new Map(blockSets.flatMap(({ accounts }) => accounts.map((each) => [toHex(each.account), each])))
  assert.deepEqual(
    showAll(resolved),
    [...touched].map(([key, { lastLt, codeHash, dataHash, extraCurrencies }]) => [
      key,
      lastLt,
      codeHash && 'unknown',
      dataHash && 'unknown',
      extraCurrencies,
    ]),
  )
  assert.ok(resolved.some(({ code }) => code === 'unknown'))
  assert.ok(resolved.some(({ code }) => code === undefined))
})
