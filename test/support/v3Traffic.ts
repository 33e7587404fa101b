import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeMessage } from '../../src/codec/tlb/Message.ts'
import { ADDR_NONE } from '../../src/codec/tlb/MsgAddress.ts'
import { createSigner, externalMessage, signedBody } from '../../src/devnet/contracts/messages.ts'
import { createWallet } from '../../src/devnet/wallets/wallets.ts'
import { formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { BusyPayers } from './busyNetwork.ts'
import type { V3NetworkService } from './v3Service.ts'

type Cleanup = { after(ending: () => unknown): void }

/** Makes blocks until some work is done. */
const mineWhile = async ({ network }: V3NetworkService, work: Promise<unknown>): Promise<void> => {
  let isDone = false
  const finished = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await network.controls.mine(1)
    await delay(5)
  }
  await finished
}

const GRAM = 1_000_000_000n
const LOG_OPCODE = 0x1234_5678

/** A wallet that tells the world outside something, and does so with the code and data that it is made of. */
export const sendLog = async (service: V3NetworkService): Promise<string> => {
  const key = createSigner(new Uint8Array(32).fill(7))
  const wallet = createWallet('v4r2', key.publicKey, -239)
  await mineWhile(service, service.network.controls.faucet(wallet.address, GRAM))
  await service.network.controls.mine(3)
  const log = writeWhole(
    writeMessage as never,
    {
      info: { kind: 'externalOut', source: ADDR_NONE, destination: ADDR_NONE, createdLt: 0n, createdAt: 0 },
      init: undefined,
      body: new CellWriter().writeUint(LOG_OPCODE, 32).writeUint(1, 8).toCell(),
    } as never,
  )
  const order = new CellWriter()
    .writeInt(wallet.walletId, 32)
    .writeUint(service.network.controls.getStatus().utime + 600, 32)
    .writeUint(0, 32)
    .writeUint(0, 8)
    .writeUint(3, 8)
    .writeRef(log)
    .toCell()
  const boc = toBase64(encodeBoc([externalMessage(wallet.address, signedBody(key, order), wallet.init)]))
  const response = await fetch(`${service.url}/api/v2/sendBoc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ boc }),
  })
  assert.equal(response.status, 200, await response.text())
  return formatUpperRawAddress(wallet.address)
}

/** Payments of all kinds, one log, clocks that jump, and in the end messages that are under way. Returns who wrote the log. */
export const makeTraffic = async (t: Cleanup, service: V3NetworkService): Promise<{ readonly logger: string }> => {
  const { controls } = service.network
  const payers = new BusyPayers(service.network, { payers: 6, seed: 8 })
  t.after(() => payers.close())
  await mineWhile(service, payers.fund())
  const logger = await sendLog(service)
  for (let round = 0; round < 5; round++) {
    await payers.send(5)
    if (round === 2) await controls.moveClock(100)
    await controls.mine(4)
  }
  await payers.send(4)
  await controls.disturb({ kind: 'holdInternal', blocks: 1000 })
  await controls.mine(2)
  await service.catchUp()
  return { logger }
}
