import { CodedError } from '../../../primitives/errors.ts'

/** What two processes have between them: the parts of `process` and of a cluster's worker that are needed. */
export type Pipe = {
  send(message: unknown): unknown
  onMessage(listener: (message: unknown) => void): void
}

/** The other process did not answer, or is gone. */
class ChannelError extends CodedError {
  readonly code = 'process_silent'
}

type Wire = {
  readonly chaincenter: 'ask' | 'answer' | 'tell'
  readonly topic: string
  readonly id: number
  readonly content: unknown
}

type Handler = (content: unknown) => unknown

const ANSWER_MS = 4000

/** Questions and news between two processes, each under a topic. What others send over the same pipe is left alone. */
export class ProcessChannel {
  private readonly pipe: Pipe
  private readonly handlers = new Map<string, Handler>()
  private readonly waiting = new Map<number, (content: unknown) => void>()
  private asked = 0

  constructor(pipe: Pipe) {
    this.pipe = pipe
    pipe.onMessage((message) => {
      if (isWire(message)) void this.receive(message)
    })
  }

  /** What to do when the other side asks or tells something. */
  handle(topic: string, handler: Handler): void {
    this.handlers.set(topic, handler)
  }

  tell(topic: string, content?: unknown): void {
    this.send({ chaincenter: 'tell', topic, id: 0, content })
  }

  ask(topic: string, content?: unknown, timeoutMs = ANSWER_MS): Promise<unknown> {
    const id = ++this.asked
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id)
        reject(new ChannelError(`The other process did not answer within ${timeoutMs} ms.`))
      }, timeoutMs)
      this.waiting.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      this.send({ chaincenter: 'ask', topic, id, content })
    })
  }

  private async receive({ chaincenter: kind, topic, id, content }: Wire): Promise<void> {
    if (kind === 'answer') {
      this.waiting.get(id)?.(content)
      this.waiting.delete(id)
      return
    }
    const answer = await this.handlers.get(topic)?.(content)
    if (kind === 'ask') this.send({ chaincenter: 'answer', topic, id, content: answer })
  }

  private send(message: Wire): void {
    try {
      this.pipe.send(message)
    } catch {
      // It is gone. Whoever waits for its answer hears so in time, and all others need not know.
    }
  }
}

const isWire = (message: unknown): message is Wire =>
  typeof message === 'object' && message !== null && 'chaincenter' in message
