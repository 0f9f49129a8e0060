/** How long work kept the server from answering others. */
interface HealthReport {
  /** The slowest answer of `/health`, in ms, less the slowest of an idle server on the same machine. */
  readonly healthMs: number
  /** How many answers there were meanwhile. */
  readonly answers: number
  /** The most processor time that the thread of the server took for one turn of its event loop, in ms. */
  readonly turnMs: number
}

/** A process that asks the server and one of its own in turns, until it may not. */
const client = (url: string) => `
const idle = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ok") })
let over = false
process.stdin.once("data", () => { over = true })
const most = { health: 0, idle: 0 }
const ask = async (name, url) => {
  const before = performance.now()
  await (await fetch(url)).text()
  most[name] = Math.max(most[name], performance.now() - before)
}
await ask("health", ${JSON.stringify(url)}); await ask("idle", idle.url.href)
most.health = most.idle = 0
process.stdout.write("ready\\n")
let answers = 0
while (!over) {
  await ask("health", ${JSON.stringify(url)})
  await ask("idle", idle.url.href)
  answers++
  await Bun.sleep(2)
}
process.stdout.write(JSON.stringify({ healthMs: most.health - most.idle, answers }) + "\\n")
process.exit()`

/** Does the work while another process asks for `/health` of the server at this address, which runs in this process. */
export async function watchHealth(url: string, work: () => Promise<unknown>): Promise<HealthReport> {
  const child = Bun.spawn([process.execPath, "-e", client(`${url}/health`)], { stdin: "pipe", stdout: "pipe" })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  await lines.read()
  const turnMs = await longestTurn(work())
  child.stdin.write("over\n")
  await child.stdin.flush()
  const { value = "{}" } = await lines.read()
  await child.exited
  return { ...JSON.parse(value), turnMs }
}

/** However busy the machine is, processor time says how long others had to wait. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  let longest = 0
  for (let before = threadMs(); !over; before = threadMs()) {
    // At least one turn, and not all of the processor time: others work for this meanwhile.
    await Bun.sleep(1)
    longest = Math.max(longest, threadMs() - before)
  }
  await work
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
