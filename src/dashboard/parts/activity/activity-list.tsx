import { Link } from "wouter"
import type { Activity } from "../../api/activity.ts"
import { DayEntryContent, DayList, dayEntry } from "../../ui/day-list.tsx"
import { describe, kindOfItem, recordPath } from "./describe.ts"

interface ActivityListProps {
  items: readonly Activity[]
  label: string
  /** Whether the list is of one contact, whose address is then omitted. */
  ofContact?: boolean
}

/** What happened, grouped by day; each row leads to its record. */
export const ActivityList = ({ items, label, ofContact = false }: ActivityListProps) => (
  <DayList
    items={items}
    timeOf={({ timestamp }) => timestamp}
    label={label}
    ofContact={ofContact}
    row={(item, props) => {
      const { label, icon, tone } = kindOfItem(item)
      return (
        <li key={item.id} {...props} data-activity={item.id}>
          <Link href={recordPath(item)} className={dayEntry} data-row>
            <DayEntryContent
              icon={icon}
              tone={tone}
              name={label}
              said={describe(item)}
              who={ofContact ? undefined : item.contactEmail}
              at={item.timestamp}
            />
          </Link>
        </li>
      )
    }}
  />
)
