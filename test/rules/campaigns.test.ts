import { describe, expect, test } from "bun:test"
import { createOpenMails } from "../../src/modules/campaigns/open-mails.ts"
import {
  copyOf,
  isActive,
  isEditable,
  nextStatus,
  rateOf,
  searchTextOf,
  type Trigger,
} from "../../src/modules/campaigns/rules.ts"
import { scheduleIn } from "../../src/modules/campaigns/schedule.ts"
import { type Campaign, campaignStatuses } from "../../src/modules/campaigns/table.ts"

const now = Date.parse("2026-01-31T09:15:00.000Z")

describe("a campaign", () => {
  /** The status after each trigger, from DRAFT, SCHEDULED, SENDING, SENT and CANCELLED; a dash where it is refused. */
  test.each<[Trigger, string]>([
    ["schedule", "SCHEDULED SCHEDULED - - -"],
    ["send", "SENDING SENDING - - -"],
    ["cancel", "- CANCELLED CANCELLED - -"],
    ["finish", "- - SENT - -"],
  ])("changes its status on %s", (trigger, row) => {
    expect(campaignStatuses.map((status) => nextStatus(status, trigger) ?? "-").join(" ")).toBe(row)
  })

  test("can be changed before it is sent, and cannot be deleted while it is scheduled or sending", () => {
    expect(campaignStatuses.filter(isEditable)).toEqual(["DRAFT", "SCHEDULED"])
    expect(campaignStatuses.filter(isActive)).toEqual(["SCHEDULED", "SENDING"])
  })

  test("is copied with its content and audience, without status, times and counts", () => {
    const campaign: Campaign = {
      id: "c",
      projectId: "p",
      name: "June",
      description: "d",
      subject: "s",
      body: "b",
      text: "t",
      from: "a@b.cd",
      fromName: "F",
      replyTo: "r@b.cd",
      type: "HEADLESS",
      audienceType: "SEGMENT",
      segmentId: "seg",
      audienceCondition: null,
      status: "SENT",
      scheduledFor: 1,
      scheduledAt: 1,
      totalRecipients: 7,
      cancelReason: null,
      sentAt: 2,
      createdAt: 3,
      updatedAt: 4,
    }
    expect(copyOf(campaign)).toEqual({
      name: "June (Copy)",
      description: "d",
      subject: "s",
      body: "b",
      text: "t",
      from: "a@b.cd",
      fromName: "F",
      replyTo: "r@b.cd",
      type: "HEADLESS",
      audienceType: "SEGMENT",
      segmentId: "seg",
      audienceCondition: null,
    })
    expect(searchTextOf(campaign)).toBe("JUNE\nS\nA@B.CD")
  })

  test.each([
    [40, 160, 25],
    [10, 160, 6.25],
    [1, 160, 0.63],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [0, 160, 0],
    [5, 0, 0],
  ])("has %p of %p as a rate of %p percent", (count, sent, rate) => {
    expect(rateOf(count, sent)).toBe(rate)
  })
})

describe("the time of a campaign", () => {
  test.each<[unknown, string]>([
    ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T10:00:00+02:00", "2026-03-01T08:00:00.000Z"],
    ["2026-03-01T10:00:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T10:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01 10:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["2027", "2027-01-01T00:00:00.000Z"],
    ["Mar 1, 2026", "2026-03-01T00:00:00.000Z"],
    ["Mar 1, 2026 10:00", "2026-03-01T10:00:00.000Z"],
    ["3/1/2026 10:00 PM", "2026-03-01T22:00:00.000Z"],
    ["Mar 1 2026 10:00 EST", "2026-03-01T15:00:00.000Z"],
    ["Sun, 01 Mar 2026 10:00:00 GMT", "2026-03-01T10:00:00.000Z"],
    ["Sun Mar 01 2026 10:00:00 GMT+0200 (EET)", "2026-03-01T08:00:00.000Z"],
    [" 2026-03-01T10:00:00Z ", "2026-03-01T10:00:00.000Z"],
    [Date.parse("2026-03-01T10:00:00.000Z"), "2026-03-01T10:00:00.000Z"],
    [now - 60_000, "2026-01-31T09:14:00.000Z"],
  ])("is read from %p", (given, at) => {
    expect(new Date(scheduleIn(given, now) ?? 0).toISOString()).toBe(at)
  })

  test.each([[undefined], [null]])("is at once for %p", (given) => {
    expect(scheduleIn(given, now)).toBeNull()
  })

  test.each<[unknown]>([
    ["soon"],
    [""],
    ["2026-13-01"],
    ["1772359200000"],
    [`Mar 1 2026 10:00 ${"(".repeat(100)}`],
    [true],
    [{}],
    [["2026-03-01"]],
    [1e300],
    [now - 60_001],
    ["2020-01-01"],
  ])("is not %p", (given) => {
    expect(() => scheduleIn(given, now)).toThrow(expect.objectContaining({ kind: "malformed" }))
  })

  test.each(["UTC", "America/New_York", "Asia/Kolkata"])("is the same on a server in %s", (zone) => {
    const times = [
      "2026-03-01T10:00:00",
      "Mar 1, 2026 10:00",
      "10:00 2026-03-01",
      "10:00 1-Mar-2026",
      "3/1/2026",
      "2026-03-01",
      "2026-03-01T10:00:00+01:00",
      "Sun Mar 1 10:00:00 2026 +0100",
    ]
    const module = `${import.meta.dir}/../../src/modules/campaigns/schedule.ts`
    const script = `import { scheduleIn } from ${JSON.stringify(module)}
      console.log(JSON.stringify(${JSON.stringify(times)}.map((one) => new Date(scheduleIn(one, 0)).toISOString())))`
    const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { env: { ...process.env, TZ: zone } })
    expect(JSON.parse(stdout.toString())).toEqual([
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
      "2026-03-01T09:00:00.000Z",
      "2026-03-01T09:00:00.000Z",
    ])
  })
})

describe("the open mails of a campaign", () => {
  const campaign = { id: "c", projectId: "p" }

  test("report no ending as the last before as many mails have ended as were open", () => {
    const openMails = createOpenMails()
    openMails.set(campaign, 3)
    expect([1, 2, 3, 4].map(() => openMails.mayBeLast("c"))).toEqual([false, false, true, true])
  })

  test("are set again from the number that a unit reads", () => {
    const openMails = createOpenMails()
    openMails.set(campaign, 1)
    expect(openMails.mayBeLast("c")).toBe(true)
    openMails.set(campaign, 2)
    expect([1, 2].map(() => openMails.mayBeLast("c"))).toEqual([false, true])
  })

  test("report every ending as possibly the last after a start, when their number is unknown", () => {
    const openMails = createOpenMails()
    openMails.set(campaign, 0)
    expect(openMails.mayBeLast("c")).toBe(true)
  })

  test("report nothing for campaigns that still make mails, or have ended", () => {
    const openMails = createOpenMails()
    expect(openMails.mayBeLast("walking")).toBe(false)
    openMails.set(campaign, 1)
    openMails.delete("c")
    expect(openMails.mayBeLast("c")).toBe(false)
  })

  test("are counted for the campaigns of each project", () => {
    const openMails = createOpenMails()
    openMails.set(campaign, 3)
    openMails.set({ id: "d", projectId: "q" }, 1)
    expect(openMails.campaigns("p")).toEqual(["c"])
  })
})
