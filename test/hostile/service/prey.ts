import { setTimeout as delay } from 'node:timers/promises'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../../src/codec/cell/encodeBoc.ts'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import { type StateInit, writeStateInit } from '../../../src/codec/tlb/StateInit.ts'
import { contractInit } from '../../../src/devnet/contracts/contractInit.ts'
import { multisigInit, newOrderBody } from '../../../src/devnet/contracts/multisigContracts.ts'
import { toBase64 } from '../../../src/primitives/base64.ts'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { anyMethodCode, hostileBodies, tokenCode } from '../../support/hostileContracts.ts'
import { amplifyingDictionary, hostileBody, longText } from '../../support/hostileMessages.ts'

/** What attackers have put on the chain. */
export type Prey = {
  /** Where amplifying messages go. */
  readonly target: string
  /** Contracts whose get-methods are hostile. */
  readonly contracts: readonly string[]
  /** A contract that sends itself a message each time it gets one. */
  readonly loop: string
  /** A multisig wallet with orders that are dear to show. */
  readonly multisig: string
}

/** Messages that are on their way at one time. */
const AT_ONCE = 20
const GRAM = 1_000_000_000n
const SOURCE = `0:${'cd'.repeat(32)}`

export const bocText = (cell: Cell): string => toBase64(encodeBoc([cell]))

/** Has a message of any kind arrive, as if somebody had paid for it. */
const impersonate = async (url: string, message: Record<string, string>): Promise<void> => {
  const response = await fetch(`${url}/dev/impersonate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: SOURCE, bounce: false, ...message }),
  })
  const text = await response.text()
  // Out of time is not refused: the message arrives, but later than the caller is told.
  if (response.status !== 200 && response.status !== 504)
    throw new Error(`A message was not taken: ${response.status} ${text.slice(0, 300)}`)
}

const deploy = async (url: string, start: StateInit, grams = GRAM): Promise<string> => {
  const init = writeWhole(writeStateInit, start)
  const address = `0:${toHex(init.hash())}`
  await impersonate(url, { destination: address, value: String(grams), state_init: bocText(init) })
  return address
}

const codeOnly = (code: Cell): StateInit => contractInit(code, emptyCell)

/** Orders of one wallet, and actions of one order: as many as an order may have. */
const ORDERS = 40
const ACTIONS = 250

/** A multisig wallet whose orders repeat a large body in each action. */
const placeOrders = async (url: string, orders: number): Promise<string> => {
  const signers = [0x31, 0x32].map((byte) => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) }))
  const multisig = await deploy(url, multisigInit({ threshold: 2, signers, proposers: [] }))
  const expirationDate = Math.floor(Date.now() / 1000) + 1_000_000
  for (let serial = 0; serial < orders; serial++) {
    const body = serial % 2 === 0 ? longText(serial, 60) : hostileBody(serial)
    const message = { destination: signers[0]!, value: 1000n, bounce: false, body }
    const order = newOrderBody({
      queryId: BigInt(serial),
      seqno: BigInt(serial),
      isSigner: true,
      index: 0,
      expirationDate,
      messages: Array.from({ length: ACTIONS }, () => message),
    })
    const source = `0:${toHex(signers[0]!.hash)}`
    await impersonate(url, { source, destination: multisig, value: String(20n * GRAM), body: bocText(order) })
  }
  return multisig
}

/** MYADDR, PUSHINT 24, NEWC, STU 6, STSLICE; PUSHINT 0, SWAP, STU 111; ENDC; PUSHINT 64, SENDRAWMSG: what came goes back to itself. */
const loopCode = (salt: number): Cell =>
  new CellWriter()
    .writeBytes(fromHex('80'))
    .writeUint(salt & 0x7f, 8)
    .writeBytes(fromHex('30F828801 8C8CB05CE7001CB6EC98040FB00'.replaceAll(' ', '')))
    .toCell()

/** Begins the campaign: everything that an attacker could put on the chain, once. */
export const placePrey = async (url: string, messages: number): Promise<Prey> => {
  const target = `0:${'ab'.repeat(32)}`
  for (let first = 0; first < messages; first += AT_ONCE) {
    const serials = Array.from({ length: Math.min(AT_ONCE, messages - first) }, (_, k) => first + k)
    await Promise.all(
      serials.map((serial) => {
        const body = serial % 10 === 9 ? longText(serial, 60) : amplifyingDictionary(serial)
        return impersonate(url, { destination: target, value: String(GRAM), body: bocText(body) })
      }),
    )
  }
  const codes = Object.values(hostileBodies()).flatMap((body) => [anyMethodCode(body), tokenCode(body)])
  const contracts = await Promise.all(codes.map((code) => deploy(url, codeOnly(code))))
  return {
    target,
    contracts,
    loop: await deploy(url, codeOnly(loopCode(0)), GRAM / 10n),
    multisig: await placeOrders(url, Math.min(ORDERS, messages)),
  }
}

/** Goes on with it: once a second something that the index has not met yet. */
export const keepPlacing = async (url: string, { target }: Prey, signal: AbortSignal): Promise<number> => {
  const bodies = Object.values(hostileBodies())
  let placed = 0
  for (; !signal.aborted; placed++) {
    const body = bodies[placed % bodies.length]!
    if (placed % 3 === 0) await deploy(url, codeOnly(tokenCode(body, placed)))
    else if (placed % 30 === 1) await deploy(url, codeOnly(loopCode(placed)), GRAM / 10n)
    else await impersonate(url, { destination: target, value: String(GRAM), body: bocText(hostileBody(1000 + placed)) })
    await delay(1000)
  }
  return placed
}
