import { setTimeout as delay } from 'node:timers/promises'

const LONGEST_MS = 60_000

/** Waits until the indexed interface at this base has a masterchain block. */
export const untilIndexed = async (base: string, seqno: number): Promise<void> => {
  const end = Date.now() + LONGEST_MS
  for (;;) {
    const response = await fetch(`${base}/masterchainInfo`)
    const text = await response.text()
    if (response.ok && (JSON.parse(text) as { last: { seqno: number } }).last.seqno >= seqno) return
    if (Date.now() > end) throw new Error(`Block ${seqno} was not indexed in time: ${text}`)
    await delay(50)
  }
}
