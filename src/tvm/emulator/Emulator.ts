import { createRequire } from 'node:module'
import type { EmulatorFiles } from './emulatorFiles.ts'
import { type WasmInstance, type WasmMemory, type WasmModule, wasm } from './wasm.ts'

type Pointer = number

/** What the program exports. Texts end with a zero byte; those it returns are ours to free. */
type Exports = {
  _malloc(size: number): Pointer
  _free(pointer: Pointer): void
  _version(): Pointer
  _create_emulator(config: Pointer, verbosity: number): Pointer
  _destroy_emulator(emulator: Pointer): void
  _run_get_method(params: Pointer, stack: Pointer, config: Pointer): Pointer
  _emulate_with_emulator(
    emulator: Pointer,
    libraries: Pointer,
    account: Pointer,
    message: Pointer,
    params: Pointer,
  ): Pointer
}

type CreateModule = (options: {
  instantiateWasm(imports: object, done: (instance: WasmInstance, module: WasmModule) => void): void
}) => Promise<Exports>

/**
 * The stack of the program. It was built with 64 KiB, which a list of a few hundred elements exceeds: it then writes over its
 * own data. This is enough for the deepest values that the gas of a transaction can buy.
 */
const STACK_BYTES = 64 * 1024 * 1024

/** Where a new stack begins: at its end, since it grows downwards. All code takes for granted that this is a multiple of 16. */
const allocateStack = (program: Exports): Pointer => {
  const start = program._malloc(STACK_BYTES)
  if (start === 0) throw new Error(`There is no memory for a stack of ${STACK_BYTES} bytes.`)
  const end = start + STACK_BYTES
  return end - (end % 16)
}

/** The emulator as it is: texts in, JSON out. A call that throws leaves it in an unknown state, and it must not be used on. */
export class Emulator {
  private readonly program: Exports
  private readonly memory: WasmMemory

  private constructor(program: Exports, memory: WasmMemory) {
    this.program = program
    this.memory = memory
  }

  static async open({ loaderPath, program, moveStackName }: EmulatorFiles): Promise<Emulator> {
    const create = createRequire(import.meta.url)(loaderPath) as CreateModule
    return new Promise((resolve, reject) => {
      // Where this fails the loader waits for ever, so the failure is passed by it.
      const instantiate = async (imports: object, done: (instance: WasmInstance, module: WasmModule) => void) => {
        const instance = await wasm.instantiate(program, imports)
        const memory = Object.values(instance.exports).find((entry) => entry instanceof wasm.Memory)!
        const moveStack = instance.exports[moveStackName] as (to: Pointer) => void
        created
          .then((loaded) => {
            moveStack(allocateStack(loaded))
            resolve(new Emulator(loaded, memory))
          })
          .catch(reject)
        done(instance, program)
      }
      const created = create({ instantiateWasm: (imports, done) => void instantiate(imports, done).catch(reject) })
    })
  }

  /** Memory never shrinks, so this is also the most that was ever used. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength
  }

  /** The commit of the sources that the program was built from. */
  readCommit(): string {
    const version = JSON.parse(this.takeText(this.program._version())) as { emulatorLibCommitHash: string }
    return version.emulatorLibCommitHash
  }

  /** A handle for transactions under a configuration (base64), or 0 where that is malformed. */
  createHandle(config: string, verbosity: number): number {
    return this.withTexts([config], ([pointer]) => this.program._create_emulator(pointer!, verbosity))
  }

  destroyHandle(handle: number): void {
    this.program._destroy_emulator(handle)
  }

  runMethod(params: string, stack: string, config: string): unknown {
    return this.withTexts([params, stack, config], ([a, b, c]) =>
      JSON.parse(this.takeText(this.program._run_get_method(a!, b!, c!))),
    )
  }

  /** Without `libraries` those of the last call with this handle stay. */
  runTransaction(
    handle: number,
    libraries: string | undefined,
    account: string,
    message: string,
    params: string,
  ): unknown {
    return this.withTexts([account, message, params, libraries ?? ''], ([a, b, c, d]) =>
      JSON.parse(
        this.takeText(this.program._emulate_with_emulator(handle, libraries === undefined ? 0 : d!, a!, b!, c!)),
      ),
    )
  }

  private withTexts<T>(texts: readonly string[], call: (pointers: readonly Pointer[]) => T): T {
    const pointers = texts.map((text) => this.putText(text))
    const result = call(pointers)
    for (const pointer of pointers) this.program._free(pointer)
    return result
  }

  /** All texts that go in are ASCII: base64 and numbers. */
  private putText(text: string): Pointer {
    const pointer = this.program._malloc(text.length + 1)
    if (pointer === 0) throw new Error(`There is no memory for ${text.length} bytes of input.`)
    const bytes = Buffer.from(this.memory.buffer, pointer, text.length + 1)
    bytes.write(text, 'latin1')
    bytes[text.length] = 0
    return pointer
  }

  private takeText(pointer: Pointer): string {
    const bytes = Buffer.from(this.memory.buffer, pointer)
    const text = bytes.toString('utf8', 0, bytes.indexOf(0))
    this.program._free(pointer)
    return text
  }
}
