import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { childArguments } from '../support/childScript.ts'

export type Measured = { readonly wallMs: number; readonly cpuMs: number; readonly output: string }

const PRINT_USAGE = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.log('cpuMs',Math.round((user+system)/1000))})`

/** Whether this is the compiled form of the tests: sources that run as they stand take several times as long to load. */
export const isCompiled = childArguments.length === 0

/** Runs a module of the tests in a process of its own, and measures that from its start. */
export const runMeasured = async (module: string): Promise<Measured> => {
  const start = performance.now()
  const args = [...childArguments, '--import', PRINT_USAGE, module]
  // Not as a child of the test runner: it writes what it has to say for people.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exitCode = await new Promise((done) => child.on('close', done))
  assert.equal(exitCode, 0, output)
  return { wallMs: performance.now() - start, cpuMs: Number(/cpuMs (\d+)/.exec(output)?.[1]), output }
}
