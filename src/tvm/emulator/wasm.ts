/** The little that is used of WebAssembly, which the type library of Node leaves out. */
export type WasmModule = { readonly [wasmModule]: true }
declare const wasmModule: unique symbol

export type WasmMemory = { readonly buffer: ArrayBuffer }

export type WasmInstance = { readonly exports: Readonly<Record<string, unknown>> }

export const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: abstract new () => WasmMemory
    compile(bytes: Uint8Array): Promise<WasmModule>
    instantiate(module: WasmModule, imports: object): Promise<WasmInstance>
  }
}
