/** The newest global version whose rules the emulator knows; it has no function that would tell. */
export const SUPPORTED_VERSION = 13

/** The sources that the emulator in use was built from, and for which {@link SUPPORTED_VERSION} was looked up. */
export const EMULATOR_COMMIT = 'f801e1c1a4ddb5abf41033f51a7c74ab72dfdc07'
