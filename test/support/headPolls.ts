import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { LiteClient } from '../../src/node/LiteClient.ts'
import type { LiteServerAddress } from '../../src/primitives/LiteServerAddress.ts'

export type PollOptions = {
  readonly polls: number
  /** Between two polls, drawn anew each time. */
  readonly pauseMs: readonly [least: number, most: number]
}

export type PollReport = {
  readonly polls: number
  /** Polls whose answer was older than the node's block, and how long the node had had that, where it was more than the poll took. */
  readonly behind: readonly string[]
  /** Answers that named an older block than an answer before. */
  readonly backwards: readonly string[]
  /** Blocks that the node has, or that an answer has just named, and that were refused. */
  readonly refused: readonly string[]
  readonly medianMs: number
}

type Answer = { readonly status: number; readonly result: unknown; readonly sentAt: number; readonly tookMs: number }

/** Polls a service for its head as a client would that stays away for a while, and holds each answer against the node itself. */
export const pollHeads = async (
  url: string,
  liteserver: LiteServerAddress,
  { polls, pauseMs: [least, most] }: PollOptions,
): Promise<PollReport> => {
  const node = new LiteClient(liteserver)
  const sight = new NodeSight(liteserver)
  const [behind, backwards, refused, took]: [string[], string[], string[], number[]] = [[], [], [], []]
  let newest = 0
  const expectForward = (what: string, seqno: number): void => {
    if (seqno < newest) backwards.push(`${what} named ${seqno} after ${newest}`)
    newest = Math.max(newest, seqno)
  }
  try {
    for (let poll = 0; poll < polls; poll++) {
      await delay(least + Math.random() * (most - least))
      const { last } = await node.query('liteServer.getMasterchainInfo', {})
      const head = await ask<{ last: { seqno: number } }>(`${url}/api/v2/getMasterchainInfo`)
      took.push(head.tookMs)
      const { seqno } = head.result.last
      const hadMs = head.sentAt - (sight.seenAt.get(last.seqno) ?? head.sentAt)
      if (seqno < last.seqno && hadMs > head.tookMs) {
        behind.push(`${seqno} and not ${last.seqno}, which the node had had for ${hadMs.toFixed(1)} ms`)
      }
      expectForward('getMasterchainInfo', seqno)
      const { result: consensus } = await ask<{ consensus_block: number }>(`${url}/api/v2/getConsensusBlock`)
      expectForward('getConsensusBlock', consensus.consensus_block)
      const fresh = await node.query('liteServer.getMasterchainInfo', {})
      for (const wanted of [consensus.consensus_block, fresh.last.seqno]) {
        const { status } = await ask(`${url}/api/v2/shards?seqno=${wanted}`)
        if (status !== 200) refused.push(`shards?seqno=${wanted} was answered with ${status}`)
      }
    }
  } finally {
    node.close()
    await sight.close()
  }
  return { polls, behind, backwards, refused, medianMs: took.sort((a, b) => a - b)[took.length >> 1] ?? 0 }
}

/** When the node had which block, as seen by a client that waits for each. */
class NodeSight {
  readonly seenAt = new Map<number, number>()
  private readonly client: LiteClient
  private readonly watching: Promise<void>
  private isClosed = false

  constructor(liteserver: LiteServerAddress) {
    this.client = new LiteClient(liteserver)
    this.watching = this.watch()
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.client.close()
    await this.watching
  }

  private async watch(): Promise<void> {
    let next = 0
    while (!this.isClosed) {
      const wait = next === 0 ? {} : { wait: { seqno: next, timeoutMs: 5000 } }
      const answer = await this.client.query('liteServer.getMasterchainInfo', {}, wait).catch(() => undefined)
      if (answer === undefined) continue
      const { seqno } = answer.last
      if (next > 0 && seqno >= next) this.seenAt.set(seqno, performance.now())
      next = seqno + 1
    }
  }
}

/** On a connection of its own, so that each may come to another worker. */
const ask = <T>(url: string): Promise<Answer & { readonly result: T }> =>
  new Promise((done, fail) => {
    const sentAt = performance.now()
    get(url, { agent: new Agent() }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { result } = JSON.parse(Buffer.concat(parts).toString()) as { result: T }
        done({ status: response.statusCode ?? 0, result, sentAt, tookMs: performance.now() - sentAt })
      })
    }).on('error', fail)
  })
