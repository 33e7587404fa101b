// Imported before a test file by each process that runs one (scripts/test.ts). `node:test` follows every promise and timer with an
// async hook, to know which test an error belongs to that nobody caught: a tenth to a quarter of the processor time of most files.
// Tests of a file run one after the other, so such an error is one of the test that runs.
import { AsyncResource, executionAsyncId } from 'node:async_hooks'
import { createRequire } from 'node:module'

type Hooks = typeof import('node:async_hooks')
type Callbacks = Parameters<Hooks['createHook']>[0]

const hooks = createRequire(import.meta.url)('node:async_hooks') as { createHook: Hooks['createHook'] }
const { createHook } = hooks
const { runInAsyncScope } = AsyncResource.prototype

/** Those that run, the innermost last. */
const running: AsyncResource[] = []
/** Of the hook of the runner, by which it learns which test something belongs to. */
let runner: Callbacks | undefined

/** Has the runner know whose the error is that it is told of next. */
const nameOwner = (): void => {
  const test = running.at(-1)
  const id = executionAsyncId()
  if (test === undefined || id === test.asyncId()) return
  runner?.init?.(id, 'Test', 0, test)
  process.nextTick(() => runner?.destroy?.(id))
}

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  if (runner !== undefined || !new Error('where').stack?.includes('node:internal/test_runner/')) return hook
  runner = callbacks
  process.prependListener('uncaughtException', nameOwner).prependListener('unhandledRejection', nameOwner)
  // It is never enabled.
  return Object.assign(hook, { enable: () => hook })
}

const TESTS: readonly string[] = ['Test', 'TestHook', 'Suite']

AsyncResource.prototype.runInAsyncScope = function <This, Result>(
  this: AsyncResource,
  work: (this: This, ...args: unknown[]) => Result,
  thisArg?: This,
  ...args: unknown[]
): Result {
  const run = (): Result => runInAsyncScope.call(this, work as never, thisArg, ...args) as Result
  if (!TESTS.includes(this.constructor.name)) return run()
  // What a suite holds knows it by this.
  runner?.init?.(this.asyncId(), 'Test', 0, this)
  running.push(this)
  const end = (): void => void running.splice(running.lastIndexOf(this), 1)
  try {
    const result = run()
    if (result instanceof Promise) result.then(end, end)
    else end()
    return result
  } catch (error) {
    end()
    throw error
  }
}
