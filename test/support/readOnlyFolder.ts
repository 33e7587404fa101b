import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

/** A mount namespace of its own: what is mounted in it is gone with its last process. Root needs no other user namespace. */
const NAMESPACE = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])]

/** Mounts the folder `$0` onto itself, read-only, and runs the rest. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'

const argumentsFor = (folder: string, command: readonly string[]): string[] => [
  ...NAMESPACE,
  'sh',
  '-c',
  READ_ONLY,
  folder,
  ...command,
]

/** Whether a folder can be mounted read-only here; where it cannot, the test is skipped and says so. */
export const haveReadOnlyMount = (t: TestContext, folder: string): boolean => {
  const { status } = spawnSync('unshare', argumentsFor(folder, ['true']))
  if (status !== 0) t.skip('NOT TESTED with a read-only mount: there is no unshare, or this user may not mount.')
  return status === 0
}

/** Runs a program to its end while a folder is read-only for it. */
export const runWithReadOnly = async (
  folder: string,
  command: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly err: string }> => {
  const child = spawn('unshare', argumentsFor(folder, command), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>])
  return { exitCode, err }
}
