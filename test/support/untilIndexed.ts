import { setTimeout as delay } from 'node:timers/promises'

const LONGEST_MS = 60_000
const PAGE = 1000

/** Whether the index has every masterchain block of a range. */
const hasAll = async (base: string, from: number, to: number): Promise<boolean> => {
  const seqnos = new Set<number>()
  for (let offset = 0; ; offset += PAGE) {
    const response = await fetch(`${base}/blocks?workchain=-1&sort=asc&limit=${PAGE}&offset=${offset}`)
    if (!response.ok) return false
    const { blocks } = (await response.json()) as { readonly blocks: readonly { readonly seqno: number }[] }
    for (const { seqno } of blocks) if (seqno >= from && seqno <= to) seqnos.add(seqno)
    if (blocks.length < PAGE) return seqnos.size === to - from + 1
  }
}

/**
 * Waits until the indexed interface at this base has a masterchain block; with `from`, all from that one on. An index begins at the head
 * and gets what was before afterwards.
 */
export const untilIndexed = async (base: string, seqno: number, from?: number): Promise<void> => {
  const end = Date.now() + LONGEST_MS
  for (;;) {
    const response = await fetch(`${base}/masterchainInfo`)
    const text = await response.text()
    if (response.ok && (JSON.parse(text) as { last: { seqno: number } }).last.seqno >= seqno) {
      if (from === undefined || (await hasAll(base, from, seqno))) return
    }
    if (Date.now() > end) throw new Error(`Blocks ${from ?? seqno} to ${seqno} were not indexed in time: ${text}`)
    await delay(50)
  }
}
