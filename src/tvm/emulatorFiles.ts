import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { VmCrashedError } from './errors.ts'
import { type WasmModule, wasm } from './wasm.ts'

/**
 * What a worker needs to run the emulator. Of the package that carries it only two files are ever read: the program itself
 * and the loader that its compiler made. docs/decisions/0008-emulator.md
 */
export type EmulatorFiles = {
  readonly loaderPath: string
  readonly program: WasmModule
  /** Under which name the program exports the function that moves its stack. */
  readonly moveStackName: string
}

// The loader keeps this function to itself, and names of exports change with every build.
const MOVE_STACK = /__emscripten_stack_restore=wasmExports\["(?<name>\w+)"\]/

/** Compiles the program once; workers get it compiled. */
export const openEmulatorFiles = async (): Promise<EmulatorFiles> => {
  try {
    const loaderPath = fileURLToPath(import.meta.resolve('@ton/sandbox/dist/executor/emulator-emscripten.js'))
    const textPath = fileURLToPath(import.meta.resolve('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js'))
    const moveStackName = MOVE_STACK.exec(await readFile(loaderPath, 'latin1'))?.groups?.['name']
    if (moveStackName === undefined) throw new Error('The loader of the emulator is of an unknown kind.')
    const program = await wasm.compile(decodeProgram(await readFile(textPath, 'latin1')))
    return { loaderPath, program, moveStackName }
  } catch (cause) {
    throw new VmCrashedError('The program of the virtual machine cannot be loaded; is the installation complete?', {
      cause,
    })
  }
}

/** The program stands as base64 in a one-line script. Running that script as such would cost ten times the memory. */
const decodeProgram = (script: string): Uint8Array => {
  const start = script.indexOf("'") + 1
  const end = script.lastIndexOf("'")
  return Buffer.from(script.slice(start, end), 'base64')
}
