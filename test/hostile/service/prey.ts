import { setTimeout as delay } from 'node:timers/promises'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../../src/codec/cell/encodeBoc.ts'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import { writeStateInit } from '../../../src/codec/tlb/StateInit.ts'
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

const deploy = async (url: string, code: Cell, grams = GRAM): Promise<string> => {
  const init = writeWhole(writeStateInit, {
    fixedPrefixLength: undefined,
    special: undefined,
    code,
    data: emptyCell,
    library: undefined,
  } as never)
  const address = `0:${toHex(init.hash())}`
  await impersonate(url, { destination: address, value: String(grams), state_init: bocText(init) })
  return address
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
  const contracts = await Promise.all(codes.map((code) => deploy(url, code)))
  return { target, contracts, loop: await deploy(url, loopCode(0), GRAM / 10n) }
}

/** Goes on with it: once a second something that the index has not met yet. */
export const keepPlacing = async (url: string, { target }: Prey, signal: AbortSignal): Promise<number> => {
  const bodies = Object.values(hostileBodies())
  let placed = 0
  for (; !signal.aborted; placed++) {
    const body = bodies[placed % bodies.length]!
    if (placed % 3 === 0) await deploy(url, tokenCode(body, placed))
    else if (placed % 30 === 1) await deploy(url, loopCode(placed), GRAM / 10n)
    else await impersonate(url, { destination: target, value: String(GRAM), body: bocText(hostileBody(1000 + placed)) })
    await delay(1000)
  }
  return placed
}
