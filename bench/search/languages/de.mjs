// Messages and documents in German, in the form of ../texts.mjs.
export const DE = {
  messages: `
    roof: Das Dach der beiden Häuser in der Mühlenstraße ist wieder undicht.
    child: Drei Kinder warteten an der Bushaltestelle.
    train: Gestern habe ich den Nachtzug nach Wien verpasst.
    mouse: Im Keller der Bäckerei haben wir Mäuse gefunden.
    letter: Die Versicherung schrieb uns einen langen Brief wegen des Wasserschadens.
    cafe: Treffen wir uns mittags im Café neben dem Dom.
    doctor: Doktor Müller hat den Termin auf Donnerstag verlegt.
    bike: Mein Fahrrad wurde vor der Stadtbibliothek gestohlen.
    bill: Ich habe die Stromrechnungen für beide Wohnungen bezahlt.
    garden: Die Apfelbäume im Garten blühen dieses Jahr früh.
    course: Sie gibt einen Schwimmkurs für Anfänger.
    ticket: Die Konzertkarten sind ausverkauft.
    recipe: Omas Rezept braucht sechs Eier und ein Pfund Mehl.
    meeting: Die Besprechungen der Vertriebsabteilung beginnen um neun.
    car: Er fuhr den Mietwagen in einen Graben.
    phone: Die neue Telefonnummer der Werkstatt ist 4471.
    key: Ich habe die Büroschlüssel in der blauen Jacke gelassen.
    flight: Unsere Flüge nach Reykjavík wurden wegen Nebels gestrichen.
  `,
  queries: `
    word: Versicherung = letter
    word: ausverkauft = ticket
    word: 4471 = phone
    form: Haus = roof
    form: Kind = child
    form: Maus = mouse
    form: lange Briefe = letter
    form: Fahrräder = bike
    form: Flug Nebel = flight
    form: blühende Gärten = garden
    form: Wohnung = bill
    form: Anfängern = course
    form: Rezepte = recipe
    compound: Rechnung = bill
    compound: Bibliothek = bike
    compound: Baum = garden
    compound: Schlüssel = key
    phrase: "Nachtzug nach Wien" = train
    phrase: "der blauen Jacke" = key
    spelling: Muehlenstrasse = roof
    spelling: Muller = doctor
    spelling: cafe = cafe
  `,
  documents: {
    'Handbuch Wasserkocher': `
      # Garantie
      Der Wasserkocher hat ab dem Kauftag drei Jahre Garantie. Bewahren Sie den Kassenzettel auf, ohne ihn werden keine Ansprüche anerkannt.
      # Entkalken
      Hartes Wasser hinterlässt Kalk am Boden. Entfernen Sie ihn alle vier Wochen mit 20 Gramm Zitronensäure in einem halben Liter Wasser.
      # Trockenlauf
      Ist kein Wasser mehr im Gerät, schaltet der Sicherheitsschalter es ab. Lassen Sie es fünfzehn Minuten abkühlen, bevor Sie es füllen.
      # Kabel
      Das Netzkabel ist 75 Zentimeter lang. Ein beschädigtes Kabel darf nur eine Fachwerkstatt austauschen.
      # Filter
      Das Sieb hinter dem Ausguss lässt sich nach oben herausziehen. Spülen Sie es einmal in der Woche unter fließendem Wasser.
    `,
    Bibliotheksordnung: `
      # Öffnungszeiten
      Die Bibliothek ist von Dienstag bis Samstag zwischen zehn und achtzehn Uhr offen. An Montagen und Feiertagen bleibt sie geschlossen.
      # Ausleihe
      Jeder Leser darf acht Bücher für vier Wochen ausleihen. Zeitungen werden nicht verliehen.
      # Verlängerung
      Die Leihfrist kann zweimal telefonisch verlängert werden, wenn niemand sonst das Buch vorgemerkt hat.
      # Säumnisgebühr
      Für jeden Tag nach Ablauf der Frist fallen je Buch 30 Cent an.
      # Lesesaal
      Im Lesesaal darf nur Mineralwasser getrunken werden. Taschen gehören in die Schließfächer, dafür braucht man eine Münze von einem Euro.
    `,
    Wanderverein: `
      # Mitgliedschaft
      Mitglieder zahlen 48 Euro im Jahr. Studierende und Lehrlinge zahlen die Hälfte.
      # Ausrüstung
      Schneeschuhe und Stöcke können beim Verein gegen ein Pfand von 60 Euro gemietet werden.
      # Treffpunkt
      Wir treffen uns um Viertel nach sieben an der alten Mühle und fahren gemeinsam mit dem Bus weiter.
      # Absage
      Sind Gewitter vorhergesagt, sagt die Leiterin die Tour am Vorabend um zwanzig Uhr ab.
      # Hunde
      Hunde sind an der Leine willkommen, aber nicht im Naturschutzgebiet rund um den See.
    `,
  },
  questions: `
    Wie lange gilt die Garantie für meinen Wasserkocher? = drei Jahre
    Womit kann man den Kocher entkalken? = 20 Gramm
    Der Kocher ist trocken gelaufen, was mache ich jetzt? = fünfzehn Minuten
    Wer tauscht beschädigte Kabel aus? = 75 Zentimeter
    An welchen Tagen ist geschlossen? = Montagen
    Wie viele Bücher kann ich ausleihen? = acht Bücher
    Welche Gebühren kostet ein Buch, wenn die Frist abgelaufen ist? = 30 Cent
    Was kostet die Mitgliedschaft? = 48 Euro
    Kann ich Schneeschuhe mieten? = 60 Euro
    Darf mein Hund mitkommen? = Naturschutzgebiet
  `,
};
