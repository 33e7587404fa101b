import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setPriority } from 'node:os'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { childArguments, childScript } from '../../support/childScript.ts'
import { type Attack, type AttackKind, attackKinds } from './attacks.ts'
import type { Prey } from './prey.ts'

export type Attackers = {
  readonly url: string
  readonly prey: Prey
  /** Between two requests of one attacker. */
  readonly pauseMs: number
  /** Attackers are elsewhere as a rule: with a low priority they take from the service only what it does for them. */
  readonly isNice?: boolean
}

export type AttackReport = {
  /** Requests by kind. */
  readonly attacks: Record<string, number>
  /** Answers by kind and status. */
  readonly statuses: Record<string, number>
  /** Sizes of answers, in the same order of things. */
  readonly bytes: Record<string, number>
  /** Answers of 500 and above that attackers got and that do not say what the matter is. */
  readonly unexpected: string[]
}

/** One attacker of each kind, until told to stop. */
export class AttackRun {
  readonly done: Promise<AttackReport>
  private readonly report: AttackReport = { attacks: {}, statuses: {}, bytes: {}, unexpected: [] }
  private readonly attackers: Attackers
  private readonly stopping = new AbortController()
  private readonly agent = new Agent({ keepAlive: true })

  constructor(attackers: Attackers) {
    this.attackers = attackers
    this.done = Promise.all(attackKinds(attackers.prey).map((kind) => this.attack(kind))).then(() => {
      this.agent.destroy()
      return this.report
    })
  }

  stop(): void {
    this.stopping.abort()
  }

  private async attack({ name, request: make }: AttackKind): Promise<void> {
    for (let serial = 0; !this.stopping.signal.aborted; serial++) {
      const attack = make(serial)
      await Promise.all(Array.from({ length: attack.atOnce ?? 1 }, () => this.send(name, attack)))
      await delay(this.attackers.pauseMs)
    }
  }

  /** Counts what comes and keeps none of it: a process that holds megabytes of answers takes the cores that the service needs. */
  private async ask(path: string, body: unknown) {
    const asked = request(`${this.attackers.url}${path}`, {
      agent: this.agent,
      ...(body !== undefined && { method: 'POST', headers: { 'content-type': 'application/json' } }),
    })
    asked.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    let length = 0
    let beginning = ''
    response.on('data', (part: Buffer) => {
      if (length === 0) beginning = part.toString('utf8', 0, 200)
      length += part.length
    })
    await finished(response)
    return { status: response.statusCode!, headers: response.headers, length, beginning }
  }

  private async send(name: string, { path, body, allowed = [] }: Attack): Promise<void> {
    const { attacks, statuses, bytes, unexpected } = this.report
    attacks[name] = (attacks[name] ?? 0) + 1
    try {
      const { status, headers, length, beginning } = await this.ask(path, body)
      const outcome = `${name} ${status}`
      statuses[outcome] = (statuses[outcome] ?? 0) + 1
      bytes[outcome] = (bytes[outcome] ?? 0) + length
      // Too much at once is refused, and says when to come back.
      const isRefused = status === 503 && headers['retry-after'] !== undefined
      if (status >= 500 && !isRefused && !allowed.includes(status)) unexpected.push(`${name}: ${status} ${beginning}`)
    } catch (error) {
      unexpected.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Attacks from a process of its own until the signal. */
export const attackFromOutside = async (attackers: Attackers, signal: AbortSignal): Promise<AttackReport> => {
  const child = fork(childScript(import.meta.dirname, 'attackersChild'), { execArgv: [...childArguments] })
  if (attackers.isNice === true && child.pid !== undefined) setPriority(child.pid, 19)
  child.send(attackers)
  signal.addEventListener('abort', () => child.send('stop'), { once: true })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The attackers ended with ${code}.`)))
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [AttackReport]
  return report
}

/** Attacks from the process that measures, until the signal. */
export const attackFromInside = (attackers: Attackers, signal: AbortSignal): Promise<AttackReport> => {
  const run = new AttackRun(attackers)
  signal.addEventListener('abort', () => run.stop(), { once: true })
  return run.done
}
