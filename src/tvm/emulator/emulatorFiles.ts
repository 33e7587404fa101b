import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { VmCrashedError } from '../errors.ts'
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
    const program = await wasm.compile(silence(decodeProgram(await readFile(textPath, 'latin1'))))
    return { loaderPath, program, moveStackName }
  } catch (cause) {
    throw new VmCrashedError('The program of the virtual machine cannot be loaded; is the installation complete?', {
      cause,
    })
  }
}

/** The program stands as base64 in a one-line script. Running that script as such would cost ten times the memory. */
const decodeProgram = (script: string): Buffer => {
  const start = script.indexOf("'") + 1
  const end = script.lastIndexOf("'")
  return Buffer.from(script.slice(start, end), 'base64')
}

/** `i32.const 4`, `i32.store`: 4 is the level of debug output. Before it stands `i32.const` with the address of the level. */
const STORE_DEBUG = Uint8Array.of(0x41, 0x04, 0x36, 0x02, 0x00)
const I32_CONST = 0x41
const ERRORS_ONLY = 1
/** Bytes of an address in WebAssembly. All but the last have their highest bit set. */
const MAX_ADDRESS_BYTES = 5

/**
 * The program turns on its own debug output before every run, and with it writes out the stack that a get-method leaves. A tuple may
 * hold the same tuple twice, and that one another twice: 26 levels, for a thousand gas, are a text of gigabytes. Nobody reads that
 * output. A program of an unknown build is left as it is: then time limits end such runs.
 */
const silence = (program: Buffer): Uint8Array => {
  const found: { readonly at: number; readonly address: string }[] = []
  for (let at = program.indexOf(STORE_DEBUG); at >= 0; at = program.indexOf(STORE_DEBUG, at + 1)) {
    const address = readAddressBefore(program, at)
    if (address !== undefined) found.push({ at, address })
  }
  if (new Set(found.map(({ address }) => address)).size !== 1) return program
  for (const { at } of found) program[at + 1] = ERRORS_ONLY
  return program
}

/** The address, in its own digits, that `i32.const` puts there just before. */
const readAddressBefore = (program: Buffer, end: number): string | undefined => {
  let start = end - 1
  while (start > end - MAX_ADDRESS_BYTES && program[start - 1]! >= 0x80) start--
  const isAddress = end - start > 1 && program[start - 1] === I32_CONST
  return isAddress ? program.toString('hex', start, end) : undefined
}
