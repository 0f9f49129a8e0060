import { JobFault } from "../../jobs/tracked/run.ts"

/** Why a file as a whole is not imported (contract A5.15.3): `message` becomes the job's `failedReason`. */
export class FileFault extends JobFault {}
