import type { Worker } from 'node:cluster'

/** The handle of a connection, as the cluster passes it on. */
type Handle = { close(): void; reset?(): number }

/** What the cluster's two sides say to each other about connections. */
type ClusterMessage = {
  readonly cmd?: unknown
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean

/**
 * Remembers the connections that were handed to a worker and that it has not taken yet. The cluster closes its own handle of a
 * connection only when the worker says that it has it: where the worker dies before, nobody serves the connection and nobody ends it.
 * The returned function does: its clients know at once, and can ask again.
 */
export const watchHandedConnections = ({ process }: Pick<Worker, 'process'>): (() => number) => {
  const handed = new Map<unknown, Handle>()
  const send = process.send.bind(process) as Send
  const sendAndRemember: Send = (message, handle, ...rest) => {
    const { cmd, act, seq } = message as ClusterMessage
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && isHandle(handle)) handed.set(seq, handle)
    return send(message, handle, ...rest)
  }
  Object.assign(process, { send: sendAndRemember })
  // Taken, or given back to be handed to another: either way it is not this worker's.
  process.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === 'NODE_CLUSTER') handed.delete(ack)
  })
  return () => {
    const count = handed.size
    for (const handle of handed.values()) if (handle.reset === undefined || handle.reset() !== 0) handle.close()
    handed.clear()
    return count
  }
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
