import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { contractAddress, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { writeAddress } from '../../src/devnet/contracts/messages.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { anyMethodCode, hostileBodies, tokenCode } from '../support/hostileContracts.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import { isLong } from '../support/testLength.ts'
import { getV3, postV3 } from '../support/v3Client.ts'

const GRAM = 1_000_000_000n
const ROUNDS = isLong ? 10 : 3
const CALLS = 20
/** What a busy machine may add to a call that takes milliseconds. */
const NOISE_MS = 250
/** An index that such contracts stop is behind for minutes. */
const MAX_LAG_MS = 30_000

/** Deploys contracts as anybody would, by messages that bring their code along. Ten of them are to be called. */
const deployHostile = async ({ sender, plan, network, urls, catchUp }: PendingNetwork): Promise<string[]> => {
  const bodies = hostileBodies()
  const { sharedTuple, widerTuples, thrownTuple } = bodies
  const swelling = [sharedTuple, widerTuples, thrownTuple]
  const called = Array.from({ length: 10 }, (_, k) => (k % 2 === 0 ? tokenCode : anyMethodCode)(swelling[k % 3]!, k))
  const others = Object.values(bodies).map((body) => tokenCode(body, 50))
  const inits = [...called, ...others].map((code) => contractInit(code, emptyCell))
  const messages = inits.map((init) => ({ destination: contractAddress(init), value: GRAM, bounce: false, init }))
  await sender.send(plan.batcher, messages)
  await network.controls.mine(4)
  const begun = performance.now()
  await catchUp()
  const lagMs = performance.now() - begun
  assert.ok(lagMs < MAX_LAG_MS, `The index took ${lagMs} ms for the hostile contracts.`)
  const { body } = await getV3(`${urls[0]}/api/v3`, 'accountStates', {
    address: inits.map((init) => formatRawAddress(contractAddress(init))),
    include_boc: false,
  })
  assert.deepEqual(
    body.accounts.map(({ status }: { status: string }) => status),
    inits.map(() => 'active'),
  )
  return inits.slice(0, called.length).map((init) => formatRawAddress(contractAddress(init)))
}

/** Get-methods that no cache has the answer of: the wallet of another owner each time. Gives their times. */
const callHonestly = async ({ urls, plan }: PendingNetwork, from: number): Promise<number[]> => {
  const times: number[] = []
  for (let k = from; k < from + CALLS; k++) {
    const hash = new Uint8Array(32)
    new DataView(hash.buffer).setUint32(0, k)
    const owner = writeAddress(new CellWriter(), { workchain: 0, hash }).toCell()
    const begun = performance.now()
    const { status, body } = await postV3(`${urls[0]}/api/v2`, 'runGetMethod', {
      address: formatRawAddress(plan.jetton.address),
      method: 'get_wallet_address',
      stack: [['tvm.Slice', toBase64(encodeBoc([owner]))]],
    })
    times.push(performance.now() - begun)
    assert.deepEqual([status, body.result?.exit_code], [200, 0], JSON.stringify(body))
  }
  return times
}

const p99 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(0.99 * times.length) - 1]!

/** Calls the contracts in turn until told to stop, and counts the answers by status. */
const callHostile = async ({ urls }: PendingNetwork, addresses: readonly string[], signal: AbortSignal) => {
  const statuses = new Map<number, number>()
  for (let k = 0; !signal.aborted; k++) {
    const args = { address: addresses[k % addresses.length]!, method: 'get_wallet_data', stack: [] }
    const { status } = await postV3(`${urls[0]}/api/v${2 + (k % 2)}`, 'runGetMethod', args)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return statuses
}

test('contracts with hostile get-methods hold up neither the index nor others', { timeout: 300_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const service = await startPendingNetwork(t, await freshDatabase(t))
  const addresses = await deployHostile(service)
  await callHonestly(service, 0)
  const [quiet, pressed]: [number[], number[]] = [[], []]
  // In turn, so that whatever else keeps this machine busy slows down both alike.
  for (let round = 1; round <= ROUNDS; round++) {
    quiet.push(...(await callHonestly(service, 1000 * round)))
    const stop = new AbortController()
    const callers = [0, 1, 2].map((k) => callHostile(service, addresses.slice(3 * k), stop.signal))
    pressed.push(...(await callHonestly(service, 1000 * round + 500)))
    // The index goes on while they are called.
    if (round === ROUNDS) {
      const { batcher, jetton } = service.plan
      const destination = jetton.admin.wallet.address
      await service.sender.send(batcher, [{ destination, value: GRAM, bounce: false }])
      await service.network.controls.mine(2)
      await service.catchUp()
    }
    stop.abort()
    for (const statuses of await Promise.all(callers)) {
      assert.deepEqual(
        [...statuses.keys()].filter((status) => status !== 500 && status !== 422),
        [],
      )
    }
  }
  t.diagnostic(`p99 ${p99(quiet)} ms quiet, ${p99(pressed)} ms with ${addresses.length} hostile contracts called`)
  assert.ok(p99(pressed) < 2 * p99(quiet) + NOISE_MS, `${p99(pressed)} ms, usually ${p99(quiet)} ms`)
})
